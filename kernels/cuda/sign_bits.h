// SPDX-License-Identifier: Apache-2.0
// Signs of a warp's elements as one word. Included by kernels/cuda/*.cu only.
#pragma once
#include <cstdint>

namespace concertina::kernels::cuda {

/// Thread i of the grid holds element i of `count`: its bit goes to bit i mod 32 of word i / 32
/// (little endian, so bit i mod 8 of byte i / 8). Every thread of the block must call it.
__device__ inline void writeSign(bool isNegative,
                                 std::int64_t i,
                                 std::int64_t count,
                                 std::uint32_t* signs) {
    const std::uint32_t word = __ballot_sync(0xFFFFFFFFU, i < count && isNegative);
    if (i < count && i % 32 == 0) {
        signs[i / 32] = word;
    }
}

}  // namespace concertina::kernels::cuda
