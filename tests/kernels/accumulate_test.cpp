// SPDX-License-Identifier: Apache-2.0
#include "kernels/accumulate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/kernels/inputs.h"

namespace concertina::kernels {
namespace {

struct Accumulated {
    std::vector<float> epochSum, next;
    SquaredNorm norm;
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
    EXPECT_TRUE(accumulate(buffers, result.norm, {}).ok);
    return result;
}

TEST(Accumulate, EqualsAScalarLoop) {
    onEachTarget([] {
        for (const std::int64_t count : kAwkwardCounts) {
            const auto gradient = wholeNumbers(count, 1000, 1);
            const auto memory = wholeNumbers(count, 1000, 2);
            const auto before = wholeNumbers(count, 1000, 3);
            const Accumulated got = run(gradient, &memory, &before);
            double squares = 0;
            for (std::int64_t i = 0; i < count; ++i) {
                squares += gradient[i] * gradient[i];
                ASSERT_EQ(got.next[i], gradient[i] + memory[i])
                    << "element " << i << " of " << count;
                ASSERT_EQ(got.epochSum[i], before[i] + gradient[i]) << i << " of " << count;
            }
            EXPECT_EQ(got.norm.sum, squares) << count;
            EXPECT_TRUE(got.norm.finite);
        }
    });
}

TEST(Accumulate, WithoutMemoryCopiesAndWithoutSumLeavesItAlone) {
    for (const std::int64_t count : kAwkwardCounts) {
        const auto gradient = wholeNumbers(count, 1000, 1);
        const auto before = wholeNumbers(count, 1000, 3);
        EXPECT_EQ(run(gradient, nullptr, nullptr).next, gradient);
        EXPECT_EQ(run(gradient, nullptr, &before).next, gradient);
        EXPECT_EQ(run(gradient, &gradient, nullptr).norm.sum,
                  run(gradient, nullptr, &before).norm.sum);
    }
}

TEST(Accumulate, FindsANonFiniteElementAtEveryPlace) {
    for (const float bad :
         {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
          std::numeric_limits<float>::quiet_NaN()}) {
        for (std::size_t place = 0; place < 37; ++place) {
            std::vector<float> gradient(37, 1.0F);
            gradient[place] = bad;
            EXPECT_FALSE(run(gradient, nullptr, nullptr).norm.finite) << place;
        }
    }
}

// 1e38 squared overflows fp32, and the smallest denormal squared underflows it: neither is lost in
// fp64.
TEST(Accumulate, LargestAndSmallestNumbersKeepTheirSquares) {
    const float largest = std::numeric_limits<float>::max();
    const float smallest = std::numeric_limits<float>::denorm_min();
    const SquaredNorm large = run(std::vector<float>(40, largest), nullptr, nullptr).norm;
    EXPECT_TRUE(large.finite);
    EXPECT_DOUBLE_EQ(large.sum, 40.0 * largest * largest);
    EXPECT_DOUBLE_EQ(run({smallest}, nullptr, nullptr).norm.sum,
                     static_cast<double>(smallest) * smallest);
    EXPECT_EQ(run({-0.0F}, nullptr, nullptr).norm.sum, 0);
}

TEST(Accumulate, EveryInstructionSetGivesTheSameBits) {
    for (const std::int64_t count : kAwkwardCounts) {
        std::vector<SquaredNorm> norms;
        const auto gradient = normalNumbers(count, 4);
        onEachTarget([&] {
            norms.push_back(run(gradient, nullptr, nullptr).norm);
            norms.emplace_back();
            EXPECT_TRUE(sumOfSquares(gradient.data(), count, norms.back(), {}).ok);
        });
        for (const SquaredNorm& norm : norms) {
            EXPECT_EQ(norm.sum, norms.front().sum) << count;
        }
    }
}

TEST(SumOfSquares, EqualsAScalarLoopAndSeesInfinities) {
    for (const std::int64_t count : kAwkwardCounts) {
        auto values = wholeNumbers(count, 1000, 5);
        double squares = 0;
        for (const float value : values) {
            squares += value * value;
        }
        SquaredNorm norm;
        ASSERT_TRUE(sumOfSquares(values.data(), count, norm, {}).ok);
        EXPECT_EQ(norm.sum, squares);
        EXPECT_TRUE(norm.finite);
        if (count > 0) {
            values.back() = std::numeric_limits<float>::infinity();
            ASSERT_TRUE(sumOfSquares(values.data(), count, norm, {}).ok);
            EXPECT_FALSE(norm.finite);
        }
    }
}

}  // namespace
}  // namespace concertina::kernels
