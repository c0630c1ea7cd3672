// SPDX-License-Identifier: Apache-2.0
// The elements of a tensor that may belong to its k largest: what the vectorized pass of topk.cpp
// finds and its scalar rest looks at. Used inside one call of selectTopk.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace concertina::kernels {

/// Elements looked at between two requests for room.
constexpr std::int64_t kChunk = 4096;

struct Candidates {
    std::vector<std::int32_t> indices;  // ascending
    std::vector<std::int32_t>
        bits;              // of the fp32 values, kept here because they lie far apart in the tensor
    std::size_t size = 0;  // of both; what is behind it is room

    void makeRoom(std::size_t more) {
        if (bits.size() < size + more) {
            bits.resize(2 * size + more);
            indices.resize(2 * size + more);
        }
    }
};

}  // namespace concertina::kernels
