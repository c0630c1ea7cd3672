// SPDX-License-Identifier: Apache-2.0
#include "kernels/scale.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/kernels/inputs.h"

namespace concertina::kernels {
namespace {

using testing::Each;

TEST(Divide, EqualsAScalarLoopAlsoInPlace) {
    onEachTarget([] {
        for (const std::int64_t count : kAwkwardCounts) {
            auto values = wholeNumbers(count, 1000, 6);
            std::vector<float> expected(values);
            for (float& value : expected) {
                value /= 3;
            }
            std::vector<float> quotient(count, -99);
            ASSERT_TRUE(divide(values.data(), 3, quotient.data(), count, {}).ok);
            EXPECT_EQ(quotient, expected);
            ASSERT_TRUE(divide(values.data(), 3, values.data(), count, {}).ok);
            EXPECT_EQ(values, expected);
        }
    });
}

TEST(Divide, TheMeanOfEqualValuesIsThatValue) {
    for (int ranks = 1; ranks <= 64; ++ranks) {
        std::vector<float> sum(9, 0.1F * static_cast<float>(ranks));
        ASSERT_TRUE(divide(sum.data(), static_cast<float>(ranks), sum.data(), 9, {}).ok);
        EXPECT_THAT(sum, Each(0.1F * static_cast<float>(ranks) / static_cast<float>(ranks)));
    }
}

}  // namespace
}  // namespace concertina::kernels
