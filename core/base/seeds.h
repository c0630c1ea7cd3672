// SPDX-License-Identifier: Apache-2.0
// Where randomness comes from: a stream of random words is named by (run seed, purpose, layer,
// step, rank) and by nothing else, so it does not matter who draws first, and nothing need be saved
// to resume. Any thread. Purposes are texts ("powersgd-query", "data-order"), so that a new one
// needs no list; streams of different names never share a counter and a key, up to a collision of a
// 64-bit hash of (seed, purpose).
#pragma once
#include <cstdint>
#include <string_view>

#include "kernels/philox.h"

namespace concertina {

/// What a draw belongs to; 0 where it makes no difference (rank 0: the same on all ranks).
struct DrawPlace {
    std::uint32_t layer = 0, step = 0, rank = 0;
};

/// The finalizer of SplitMix64 (Steele, Lea, Flood, 2014): every bit of the result depends on every
/// bit of `value`.
constexpr std::uint64_t mixBits(std::uint64_t value) {
    value += 0x9E3779B97F4A7C15U;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9U;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBU;
    return value ^ (value >> 31);
}

/// The random words of one purpose at one place.
constexpr kernels::PhiloxStream randomStream(std::uint64_t runSeed,
                                             std::string_view purpose,
                                             DrawPlace place = {}) {
    std::uint64_t hash = 0xCBF29CE484222325U;  // FNV-1a
    for (const char character : purpose) {
        hash = (hash ^ static_cast<unsigned char>(character)) * 0x100000001B3U;
    }
    const std::uint64_t key = mixBits(mixBits(runSeed) ^ hash);
    return {{{static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)}},
            {place.layer, place.step, place.rank}};
}

}  // namespace concertina
