// SPDX-License-Identifier: Apache-2.0
// Philox 4x32-10: random bits as a pure function of key and counter (Salmon, Moraes, Dror, Shaw:
// "Parallel random numbers: as easy as 1, 2, 3", SC 2011). No state to keep or to save, any thread,
// and the same bits on host and device; whoever knows the key can draw element i without drawing
// those before it. core/base/seeds.h makes the keys.
#pragma once
#include <cmath>
#include <cstdint>

#include "kernels/host_device.h"

namespace concertina::kernels {

struct PhiloxKey {
    std::uint32_t word[2];
};

struct PhiloxBlock {
    std::uint32_t word[4];
};

/// One application of the bijection: four random words for one counter.
CONCERTINA_HD inline PhiloxBlock philox(PhiloxBlock counter, PhiloxKey key) {
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t product0 = std::uint64_t{0xD2511F53U} * counter.word[0];
        const std::uint64_t product1 = std::uint64_t{0xCD9E8D57U} * counter.word[2];
        counter = {{static_cast<std::uint32_t>(product1 >> 32) ^ counter.word[1] ^ key.word[0],
                    static_cast<std::uint32_t>(product1),
                    static_cast<std::uint32_t>(product0 >> 32) ^ counter.word[3] ^ key.word[1],
                    static_cast<std::uint32_t>(product0)}};
        key.word[0] += 0x9E3779B9U;
        key.word[1] += 0xBB67AE85U;
    }
    return counter;
}

/// A family of counters under one key: what a kernel gets to draw from.
struct PhiloxStream {
    PhiloxKey key;
    std::uint32_t counter[3];  // the upper words; the lowest counts blocks

    CONCERTINA_HD PhiloxBlock block(std::uint32_t index) const {
        return philox({{index, counter[0], counter[1], counter[2]}}, key);
    }
    /// Word `index` of the stream, 0 <= index < 2^34.
    CONCERTINA_HD std::uint32_t word(std::uint64_t index) const {
        return block(static_cast<std::uint32_t>(index >> 2)).word[index & 3];
    }
};

/// In (0, 1), symmetric about 1/2, never an end.
CONCERTINA_HD inline double uniformFromBits(std::uint32_t bits) { return (bits + 0.5) * 0x1p-32; }

/// Two independent standard normals of two words (Box and Muller, 1958). Host only: the device's
/// logarithm and cosine round differently, so what must be equal everywhere is drawn here and
/// copied.
struct NormalPair {
    double first, second;
};
inline NormalPair normalFromBits(std::uint32_t bits0, std::uint32_t bits1) {
    const double radius = std::sqrt(-2.0 * std::log(uniformFromBits(bits0)));
    const double angle = 6.283185307179586 * uniformFromBits(bits1);
    return {radius * std::cos(angle), radius * std::sin(angle)};
}

}  // namespace concertina::kernels
