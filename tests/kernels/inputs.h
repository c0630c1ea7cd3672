// SPDX-License-Identifier: Apache-2.0
// Inputs of the kernel tests: awkward sizes, and numbers that are the same on every machine.
#pragma once
#include <hwy/targets.h>

#include <cstdint>
#include <vector>

#include "kernels/philox.h"

namespace concertina::kernels {

/// Below, at and above what one, two and four vectors hold; and long enough for many of them.
inline const std::vector<std::int64_t> kAwkwardCounts{0,  1,  2,  3,   7,    8,     9,
                                                      15, 16, 17, 255, 1000, 100000};

/// Whole numbers in [-limit, limit]: their products and short sums are exact in fp32, in any order.
inline std::vector<float> wholeNumbers(std::int64_t count, int limit, std::uint32_t seed) {
    const PhiloxStream stream{{{seed, 0}}, {0, 0, 0}};
    std::vector<float> values(count);
    for (std::int64_t i = 0; i < count; ++i) {
        values[i] = static_cast<float>(static_cast<int>(stream.word(i) % (2 * limit + 1)) - limit);
    }
    return values;
}

/// Standard normal numbers.
inline std::vector<float> normalNumbers(std::int64_t count, std::uint32_t seed) {
    const PhiloxStream stream{{{seed, 1}}, {0, 0, 0}};
    std::vector<float> values(count);
    for (std::int64_t i = 0; i < count; ++i) {
        values[i] =
            static_cast<float>(normalFromBits(stream.word(2 * i), stream.word(2 * i + 1)).first);
    }
    return values;
}

/// Calls `body` once per instruction set of this machine that the kernels are compiled for: AVX2
/// where it is there, and the baseline, which Highway falls back to when none of the named ones is
/// chosen.
template <typename Body>
void onEachTarget(Body body) {
    if ((hwy::SupportedTargets() & HWY_AVX2) != 0) {
        hwy::GetChosenTarget().Update(HWY_AVX2);
        body();
    }
    hwy::GetChosenTarget().Update(0);
    body();
    hwy::GetChosenTarget().DeInit();
}

}  // namespace concertina::kernels
