// SPDX-License-Identifier: Apache-2.0
// Codes of a few bits each, packed without gaps as bit planes: of 32 codes first all lowest bits,
// then all second bits, and so on. A plane is what a vector's mask (or a warp's vote) already is,
// so that packing costs next to nothing and needs no pass of its own. Called by the kernels that
// quantize, on CPU and GPU; any thread.
#pragma once
#include <cstdint>

#include "kernels/host_device.h"

namespace concertina::kernels {

/// Codes that share planes. The last ones of a tensor may be fewer: their planes are as many bits
/// long as they are codes, and follow each other without a gap.
constexpr int kPlaneCodes = 32;

/// Of `count` codes of `bits` bits: count * bits / 8, rounded up to a multiple of 4. Codes 32 c and
/// up begin at word c * bits.
CONCERTINA_HD constexpr std::int64_t planeBytes(std::int64_t count, int bits) {
    return (count * bits + 31) / 32 * 4;
}

/// Plane `plane` of `count` <= 32 codes that begin at `words`; code i is its bit i.
CONCERTINA_HD inline std::uint32_t planeOf(const std::uint32_t* words, int plane, int count) {
    const int first = plane * count;
    const int shift = first % 32;
    std::uint32_t bits = words[first / 32] >> shift;
    if (shift + count > 32) {
        bits |= words[first / 32 + 1] << (32 - shift);
    }
    return count == 32 ? bits : bits & ((1U << count) - 1);
}

/// The inverse: writes planes 0..bits-1, each without bits at `count` and above, to `words`.
CONCERTINA_HD inline void putPlanes(const std::uint32_t* planes,
                                    int bits,
                                    int count,
                                    std::uint32_t* words) {
    std::uint64_t pending = 0;
    int pendingBits = 0;
    for (int plane = 0; plane < bits; ++plane) {
        pending |= std::uint64_t{planes[plane]} << pendingBits;
        pendingBits += count;
        if (pendingBits >= 32) {
            *words++ = static_cast<std::uint32_t>(pending);
            pending >>= 32;
            pendingBits -= 32;
        }
    }
    if (pendingBits > 0) {
        *words = static_cast<std::uint32_t>(pending);
    }
}

}  // namespace concertina::kernels
