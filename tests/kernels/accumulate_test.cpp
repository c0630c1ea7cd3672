// SPDX-License-Identifier: Apache-2.0
#include "kernels/accumulate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/kernels/inputs.h"

namespace concertina::kernels {
namespace {

struct Accumulated {
    std::vector<float> epochSum, next;
    Norms norms;
};

Accumulated run(const std::vector<float>& gradient,
                const std::vector<float>* memory,
                const std::vector<float>* epochSum) {
    Accumulated result;
    result.next.assign(gradient.size(), -99);
    if (epochSum) {
        result.epochSum = *epochSum;
    }
    const AccumulateBuffers buffers{gradient.data(), memory ? memory->data() : nullptr,
                                    epochSum ? result.epochSum.data() : nullptr, result.next.data(),
                                    static_cast<std::int64_t>(gradient.size())};
    EXPECT_TRUE(accumulate(buffers, result.norms, {}).ok);
    return result;
}

TEST(Accumulate, EqualsAScalarLoop) {
    onEachTarget([] {
        for (const std::int64_t count : kAwkwardCounts) {
            const auto gradient = wholeNumbers(count, 1000, 1);
            const auto memory = wholeNumbers(count, 1000, 2);
            const auto before = wholeNumbers(count, 1000, 3);
            const Accumulated got = run(gradient, &memory, &before);
            double squaresOfSums = 0;
            for (std::int64_t i = 0; i < count; ++i) {
                squaresOfSums += got.next[i] * got.next[i];
                ASSERT_EQ(got.next[i], gradient[i] + memory[i])
                    << "element " << i << " of " << count;
                ASSERT_EQ(got.epochSum[i], before[i] + gradient[i]) << i << " of " << count;
            }
            EXPECT_EQ(got.norms.squares, squaresOfSums) << count;
            EXPECT_TRUE(got.norms.finite);
        }
    });
}

TEST(Accumulate, WithoutMemoryCopiesAndWithoutSumLeavesItAlone) {
    for (const std::int64_t count : kAwkwardCounts) {
        const auto gradient = wholeNumbers(count, 1000, 1);
        const auto before = wholeNumbers(count, 1000, 3);
        EXPECT_EQ(run(gradient, nullptr, nullptr).next, gradient);
        EXPECT_EQ(run(gradient, nullptr, &before).next, gradient);
        EXPECT_EQ(run(gradient, nullptr, &before).norms.squares,
                  run(gradient, nullptr, nullptr).norms.squares);
    }
}

TEST(Accumulate, FindsANonFiniteElementAtEveryPlace) {
    for (const float bad :
         {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
          std::numeric_limits<float>::quiet_NaN()}) {
        for (std::size_t place = 0; place < 37; ++place) {
            std::vector<float> gradient(37, 1.0F);
            gradient[place] = bad;
            EXPECT_FALSE(run(gradient, nullptr, nullptr).norms.finite) << place;
        }
    }
}

// 1e38 squared overflows fp32, and the smallest denormal squared underflows it: neither is lost in
// fp64.
TEST(Accumulate, LargestAndSmallestNumbersKeepTheirSquares) {
    const float largest = std::numeric_limits<float>::max();
    const float smallest = std::numeric_limits<float>::denorm_min();
    const Norms large = run(std::vector<float>(40, largest), nullptr, nullptr).norms;
    EXPECT_TRUE(large.finite);
    EXPECT_DOUBLE_EQ(large.squares, 40.0 * largest * largest);
    EXPECT_DOUBLE_EQ(run({smallest}, nullptr, nullptr).norms.squares,
                     static_cast<double>(smallest) * smallest);
    EXPECT_EQ(run({-0.0F}, nullptr, nullptr).norms.squares, 0);
}

/// Fractions of powers of two, so that products and sums below are exact.
std::vector<float> quarters(std::int64_t count, std::uint64_t seed) {
    auto values = wholeNumbers(count, 1000, seed);
    for (float& value : values) {
        value /= 4;
    }
    return values;
}

TEST(Accumulate, MemoryIsScaledAndMomentumKeptApart) {
    onEachTarget([] {
        for (const std::int64_t count : kAwkwardCounts) {
            const auto gradient = quarters(count, 1);
            const auto memory = quarters(count, 2);
            const auto momentum = quarters(count, 3);
            for (const bool first : {true, false}) {
                std::vector<float> next(count), nextMomentum(count);
                AccumulateBuffers b{gradient.data(), memory.data(), nullptr, next.data(), count};
                b.memoryScale = 0.5F;
                b.momentum = first ? nullptr : momentum.data();
                b.nextMomentum = nextMomentum.data();
                b.momentumScale = 0.25F;
                Norms norms;
                ASSERT_TRUE(accumulate(b, norms, {}).ok);
                double magnitudes = 0;
                for (std::int64_t i = 0; i < count; ++i) {
                    const float v = gradient[i] + (first ? 0 : 0.25F * momentum[i]);
                    ASSERT_EQ(nextMomentum[i], v) << "element " << i << " of " << count;
                    ASSERT_EQ(next[i], v + 0.5F * memory[i]) << "element " << i << " of " << count;
                    magnitudes += std::fabs(next[i]);
                }
                EXPECT_EQ(norms.magnitudes, magnitudes) << count;
            }
        }
    });
}

TEST(Accumulate, LargestMagnitudeIsFoundAtEveryPlace) {
    onEachTarget([] {
        for (std::size_t place = 0; place < 37; ++place) {
            std::vector<float> gradient(37, 1.0F);
            gradient[place] = -3;
            EXPECT_EQ(run(gradient, nullptr, nullptr).norms.largest, 3) << place;
            // Of what is compressed, not of the gradient.
            EXPECT_EQ(run(gradient, &gradient, nullptr).norms.largest, 6) << place;
        }
        EXPECT_EQ(run({}, nullptr, nullptr).norms.largest, 0);
    });
}

// Both are finite, their sum is not: error memory must not take it over.
TEST(Accumulate, AnOverflowOfGradientPlusMemoryIsNotFinite) {
    const std::vector<float> largest(20, std::numeric_limits<float>::max());
    EXPECT_FALSE(run(largest, &largest, nullptr).norms.finite);
}

TEST(Accumulate, EveryInstructionSetGivesTheSameBits) {
    for (const std::int64_t count : kAwkwardCounts) {
        std::vector<Norms> norms;
        const auto gradient = normalNumbers(count, 4);
        onEachTarget([&] {
            norms.push_back(run(gradient, nullptr, nullptr).norms);
            norms.emplace_back();
            EXPECT_TRUE(measure(gradient.data(), count, norms.back(), {}).ok);
        });
        for (const Norms& other : norms) {
            EXPECT_EQ(other.squares, norms.front().squares) << count;
            EXPECT_EQ(other.magnitudes, norms.front().magnitudes) << count;
            EXPECT_EQ(other.largest, norms.front().largest) << count;
        }
    }
}

TEST(Measure, EqualsAScalarLoopAndSeesInfinities) {
    for (const std::int64_t count : kAwkwardCounts) {
        auto values = wholeNumbers(count, 1000, 5);
        double squares = 0;
        double magnitudes = 0;
        float largest = 0;
        for (const float value : values) {
            squares += value * value;
            magnitudes += std::fabs(value);
            largest = std::max(largest, std::fabs(value));
        }
        Norms norms;
        ASSERT_TRUE(measure(values.data(), count, norms, {}).ok);
        EXPECT_EQ(norms.squares, squares);
        EXPECT_EQ(norms.magnitudes, magnitudes);
        EXPECT_EQ(norms.largest, largest);
        EXPECT_TRUE(norms.finite);
        if (count > 0) {
            values.back() = std::numeric_limits<float>::infinity();
            ASSERT_TRUE(measure(values.data(), count, norms, {}).ok);
            EXPECT_FALSE(norms.finite);
        }
    }
}

}  // namespace
}  // namespace concertina::kernels
