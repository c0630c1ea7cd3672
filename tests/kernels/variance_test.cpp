// SPDX-License-Identifier: Apache-2.0
#include "kernels/variance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/kernels/inputs.h"
#include "tests/kernels/lists.h"

namespace concertina::kernels {
namespace {

using testing::ElementsAre;

SelectedMessage select(const std::vector<float>& values,
                       const std::vector<float>& gradient,
                       std::vector<float>& spread,
                       float alpha,
                       float decay) {
    const auto count = static_cast<std::int64_t>(values.size());
    return selectedBy(
        [&](float* v, void* message, std::int64_t& bytes) {
            return selectVariance({v, gradient.data(), spread.data(), count, alpha, decay}, message,
                                  bytes, {});
        },
        values);
}

SelectedMessage selectByLoop(const std::vector<float>& values,
                             const std::vector<float>& gradient,
                             std::vector<float>& spread,
                             float alpha,
                             float decay) {
    std::vector<bool> wanted;
    std::size_t sent = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        spread[i] += gradient[i] * gradient[i];
        wanted.push_back(values[i] * values[i] > alpha * spread[i]);
        spread[i] = wanted[i] ? 0 : spread[i] * decay;
        sent += wanted[i] ? 1 : 0;
    }
    if (2 * sent >= values.size()) {
        spread.assign(values.size(), 0);
    }
    return selectedByLoop(values, wanted);
}

TEST(SelectVariance, EqualsALoopStepAfterStep) {
    onEachTarget([] {
        for (const std::int64_t count : kAwkwardCounts) {
            for (const float alpha : {0.1F, 1.0F, 2.0F, 4.0F}) {
                std::vector<float> values(count, 0), spread(count, 0), expectedSpread(count, 0);
                for (std::uint32_t step = 0; step < 5; ++step) {
                    const auto gradient = normalNumbers(count, 10 + step);
                    for (std::int64_t i = 0; i < count; ++i) {
                        values[i] += gradient[i];
                    }
                    const auto expected =
                        selectByLoop(values, gradient, expectedSpread, alpha, 0.999F);
                    const auto got = select(values, gradient, spread, alpha, 0.999F);
                    ASSERT_TRUE(got == expected) << count << ", alpha " << alpha;
                    ASSERT_EQ(spread, expectedSpread);
                    values = got.residual;
                }
            }
        }
    });
}

TEST(SelectVariance, ByHand) {
    std::vector<float> spread{0, 3, 3, 0, 0};
    const SelectedMessage got = select({2, 4, 5, 0, 0}, {2, 1, 1, 0, 0}, spread, 4, 0.5F);
    EXPECT_THAT(got.indices, ElementsAre(2));  // 4 > 4 * 4, 16 > 4 * 4, 25 > 4 * 4, 0 > 0
    EXPECT_THAT(got.values, ElementsAre(5));
    EXPECT_THAT(got.residual, ElementsAre(2, 4, 0, 0, 0));
    EXPECT_THAT(spread, ElementsAre(2, 2, 0, 0, 0));
}

TEST(SelectVariance, WhereAllIsSentAllStartsAfresh) {
    std::vector<float> spread{0, 9, 0};
    const SelectedMessage got = select({2, 1, 3}, {1, 0, 1}, spread, 1, 0.5F);
    EXPECT_THAT(got.values, ElementsAre(2, 1, 3));
    EXPECT_THAT(spread, ElementsAre(0, 0, 0));
}

TEST(SelectVariance, ASquareThatOverflowsSpoilsNothing) {
    onEachTarget([] {
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const std::vector<float> gradient{
            1e30F, nan, std::numeric_limits<float>::infinity(), 1, 1, 1, 1, 1, 1e30F};
        std::vector<float> spread(9, 2);
        select({1e30F, 0, 0, 0, 0, 0, 0, 0, 0}, gradient, spread, 1, 0.5F);
        EXPECT_THAT(spread, ElementsAre(0, 1, 1, 1.5F, 1.5F, 1.5F, 1.5F, 1.5F, 1));
    });
}

}  // namespace
}  // namespace concertina::kernels
