// SPDX-License-Identifier: Apache-2.0
#include "kernels/adacomp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/kernels/inputs.h"
#include "tests/kernels/lists.h"

namespace concertina::kernels {
namespace {

using testing::ElementsAre;

SelectedMessage select(const std::vector<float>& values,
                       const std::vector<float>& gradient,
                       std::int64_t bin) {
    const auto count = static_cast<std::int64_t>(values.size());
    return selectedBy(
        [&](float* v, void* message, std::int64_t& bytes) {
            return selectAdacomp({v, gradient.data(), count, bin}, message, bytes, {});
        },
        values);
}

SelectedMessage selectByLoop(const std::vector<float>& values,
                             const std::vector<float>& gradient,
                             std::int64_t bin) {
    const auto count = static_cast<std::int64_t>(values.size());
    std::vector<bool> wanted(count);
    std::vector<float> largest(count / bin + 1, 0);
    for (std::int64_t i = 0; i < count; ++i) {
        largest[i / bin] = std::max(largest[i / bin], std::abs(values[i]));
    }
    for (std::int64_t i = 0; i < count; ++i) {
        wanted[i] = std::abs(values[i] + gradient[i]) >= largest[i / bin] && values[i] != 0;
    }
    return selectedByLoop(values, wanted);
}

TEST(SelectAdacomp, EqualsALoop) {
    onEachTarget([] {
        for (const std::int64_t count : kAwkwardCounts) {
            const auto gradient = normalNumbers(count, 1);
            auto values = normalNumbers(count, 2);
            for (std::int64_t i = 0; i < count; ++i) {
                values[i] += gradient[i];
            }
            for (const std::int64_t bin : {1, 2, 7, 8, 10, 50, 500, 1 << 30}) {
                EXPECT_TRUE(select(values, gradient, bin) == selectByLoop(values, gradient, bin))
                    << count << " in bins of " << bin;
            }
        }
    });
}

// Bins of 4: in the first only the largest reaches 4 (a gradient that points away holds -4 back),
// in the second 2 + 2 does too, the third has no largest, the fourth is short.
TEST(SelectAdacomp, ByHand) {
    const std::vector<float> values{4, -4, 2, 0, 4, 2, 1, 0, 0, 0, 0, 0, -1};
    const std::vector<float> gradient{0, 1, 1, 4, 0, 2, 1, 0, 0, 0, 0, 0, 0};
    const SelectedMessage got = select(values, gradient, 4);
    EXPECT_THAT(got.indices, ElementsAre(0, 4, 5, 12));
    EXPECT_THAT(got.values, ElementsAre(4, 4, 2, -1));
    EXPECT_THAT(got.residual, ElementsAre(0, -4, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0));
}

TEST(SelectAdacomp, AnOverflowOfTheirSumIsSent) {
    const float most = std::numeric_limits<float>::max();
    EXPECT_THAT(select({1, most, 1}, {1, most, 1}, 3).indices, ElementsAre(1));
}

}  // namespace
}  // namespace concertina::kernels
