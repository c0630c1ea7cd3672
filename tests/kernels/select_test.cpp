// SPDX-License-Identifier: Apache-2.0
#include "kernels/select.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "tests/kernels/inputs.h"
#include "tests/kernels/lists.h"

namespace concertina::kernels {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

SelectedMessage select(const std::vector<float>& values, float least) {
    const auto count = static_cast<std::int64_t>(values.size());
    return selectedBy(
        [&](float* v, void* message, std::int64_t& bytes) {
            return selectAbove(v, count, least, message, bytes, {});
        },
        values);
}

void expectEqualToALoop(const std::vector<float>& values, float least) {
    std::vector<bool> wanted;
    std::int64_t expectedCount = 0;
    for (const float value : values) {
        wanted.push_back(std::abs(value) >= least && value != 0);
        expectedCount += wanted.back() ? 1 : 0;
    }
    EXPECT_TRUE(select(values, least) == selectedByLoop(values, wanted))
        << values.size() << " elements from " << least;
    std::int64_t found = -1;
    const auto count = static_cast<std::int64_t>(values.size());
    ASSERT_TRUE(countAbove(values.data(), count, least, found, {}).ok);
    EXPECT_EQ(found, expectedCount);
}

TEST(SelectAbove, EqualsALoop) {
    onEachTarget([] {
        for (const std::int64_t count : kAwkwardCounts) {
            const auto values = normalNumbers(count, 1);
            for (const float least : {0.0F, 0.1F, 0.5F, 0.7F, 1.0F, 3.0F, 100.0F}) {
                expectEqualToALoop(values, least);
            }
            expectEqualToALoop(wholeNumbers(count, 2, 2), 2);
            expectEqualToALoop(std::vector<float>(count, 0.0F), 0);
        }
    });
}

TEST(SelectAbove, TheThresholdItselfIsSentAndZerosNeverAre) {
    const SelectedMessage got = select({0, -2, 1.9F, 0, 2, -0.0F, 0}, 2);
    EXPECT_THAT(got.indices, ElementsAre(1, 4));
    EXPECT_THAT(got.values, ElementsAre(-2, 2));
    EXPECT_THAT(got.residual, ElementsAre(0, 0, 1.9F, 0, 0, 0, 0));
    EXPECT_EQ(got.writtenBytes, 16);
    EXPECT_EQ(select({0, -0.0F, 0}, 0).writtenBytes, 0);
    const float infinity = std::numeric_limits<float>::infinity();
    EXPECT_THAT(select({1, std::numeric_limits<float>::max()}, infinity).indices, IsEmpty());
}

TEST(SelectAbove, HalfOfTheEntriesGoAsAllValues) {
    const SelectedMessage half = select({3, 1, -3, 1}, 2);
    EXPECT_EQ(half.writtenBytes, 16);
    EXPECT_THAT(half.values, ElementsAre(3, 1, -3, 1));
    EXPECT_THAT(half.residual, ElementsAre(0, 0, 0, 0));
    const SelectedMessage fewer = select({3, 1, -3, 1, 1}, 2);
    EXPECT_EQ(fewer.writtenBytes, 16);
    EXPECT_THAT(fewer.indices, ElementsAre(0, 2));
    EXPECT_THAT(fewer.residual, ElementsAre(0, 1, 0, 1, 1));
}

TEST(SampleOneIn, DrawsOneOfEachRunFromItsOwnWord) {
    const PhiloxStream random{{{7, 8}}, {1, 2, 3}};
    const std::int64_t stride = 100, samples = 1001;
    std::vector<float> values(stride * samples);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<float>(i);
    }
    std::vector<float> sample(samples, -1);
    ASSERT_TRUE(sampleOneIn(values.data(), stride, samples, random, sample.data(), {}).ok);
    std::set<std::int64_t> places;
    for (std::int64_t i = 0; i < samples; ++i) {
        const auto place = static_cast<std::int64_t>(sample[i]) - stride * i;
        EXPECT_EQ(place, static_cast<std::int64_t>(random.word(i) / 4294967296.0 * stride)) << i;
        places.insert(place);
    }
    EXPECT_EQ(*places.begin(), 0);  // of 1001 draws: fails by chance once in 12,000 seeds
    EXPECT_EQ(*places.rbegin(), 99);
    ASSERT_TRUE(sampleOneIn(values.data(), 1, samples, random, sample.data(), {}).ok);
    EXPECT_EQ(sample[1000], 1000);
}

}  // namespace
}  // namespace concertina::kernels
