// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/seed_statistics.h"

#include <gmock/gmock.h>

namespace concertina {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(MeanSpread, UsesTheSampleStandardDeviation) {
    const std::vector<double> values{2, 4, 6};  // deviations -2, 0, 2: variance 8 / 2
    const MeanSpread result = meanSpread(values);
    EXPECT_EQ(result.mean, 4);
    EXPECT_EQ(result.spread, 2);
    EXPECT_EQ(result.count, 3U);
}

TEST(MeanSpread, OneValueHasNoSpreadAndNoneHasNoCount) {
    EXPECT_EQ(meanSpread(std::vector<double>{7}).mean, 7);
    EXPECT_EQ(meanSpread(std::vector<double>{7}).spread, 0);
    EXPECT_EQ(meanSpread({}).count, 0U);
}

TEST(MeanCurve, GoesAsFarAsTheShortestRun) {
    const std::vector<CurvePoints> runs{{{10, 20, 30}, {1, 2, 3}}, {{12, 22}, {3, 6}}};
    const MeanCurve curve = meanCurve(runs);
    EXPECT_THAT(curve.x, ElementsAre(11, 21));
    EXPECT_THAT(curve.mean, ElementsAre(2, 4));
    // Two values a and b: the sample deviation is |a - b| / sqrt(2).
    EXPECT_THAT(curve.low, ElementsAre(testing::DoubleNear(2 - 1.4142135623730951, 1e-15),
                                       testing::DoubleNear(4 - 2.8284271247461903, 1e-15)));
    EXPECT_THAT(curve.high, ElementsAre(testing::DoubleNear(2 + 1.4142135623730951, 1e-15),
                                        testing::DoubleNear(4 + 2.8284271247461903, 1e-15)));
}

TEST(MeanCurve, OfNoRunsOrAnEmptyRunIsEmpty) {
    EXPECT_THAT(meanCurve({}).x, IsEmpty());
    const std::vector<CurvePoints> runs{{{1}, {1}}, {}};
    EXPECT_THAT(meanCurve(runs).mean, IsEmpty());
}

TEST(GroupEqual, KeepsTheOrderOfFirstAppearance) {
    const std::vector<std::string> keys{"b", "a", "b", "c", "a"};
    EXPECT_THAT(groupEqual(keys),
                ElementsAre(ElementsAre(0, 2), ElementsAre(1, 4), ElementsAre(3)));
}

}  // namespace
}  // namespace concertina
