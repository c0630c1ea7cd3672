// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/series.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace concertina {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();
using Points = std::vector<SeriesPoint>;
using Numbers = std::vector<double>;

TEST(CutSeries, GapsBecomeSegmentsDotsMarkersAndCounts) {
    const Numbers x = {0, 1, 2, 3, 4, 5, 6, 7};
    const Numbers y = {1, 2, kNan, 3, kInf, -kInf, 4, 5};
    const DrawableSeries series = cutSeries(x, y);
    ASSERT_EQ(series.segments.size(), 2u);
    EXPECT_EQ(series.segments[0], (Points{{0, 1}, {1, 2}}));
    EXPECT_EQ(series.segments[1], (Points{{6, 4}, {7, 5}}));
    EXPECT_EQ(series.isolated, (Points{{3, 3}}));
    EXPECT_EQ(series.nanCount, 1u);
    EXPECT_EQ(series.infinityCount, 2u);
    EXPECT_EQ(series.notPositiveCount, 0u);
    ASSERT_EQ(series.markers.size(), 3u);
    EXPECT_EQ(series.markers[0].kind, Undrawable::Nan);
    EXPECT_EQ(series.markers[0].index, 2u);
    EXPECT_EQ(series.markers[0].x, 2);
    EXPECT_EQ(series.markers[0].height, 2.0);
    EXPECT_EQ(series.markers[1].kind, Undrawable::PositiveInfinity);
    EXPECT_EQ(series.markers[1].height, 3.0);
    EXPECT_EQ(series.markers[2].kind, Undrawable::NegativeInfinity);
    EXPECT_EQ(series.markers[2].height, 3.0);
}

TEST(CutSeries, OnALogAxisZeroAndBelowCannotBeDrawn) {
    const Numbers x = {0, 1, 2, 3, 4}, y = {0, 1e-9, 1e-3, 5, -1};
    const DrawableSeries series = cutSeries(x, y, AxisScale::Log);
    ASSERT_EQ(series.segments.size(), 1u);
    EXPECT_EQ(series.segments[0], (Points{{1, 1e-9}, {2, 1e-3}, {3, 5}}));
    EXPECT_EQ(series.notPositiveCount, 2u);
    ASSERT_EQ(series.markers.size(), 2u);
    EXPECT_EQ(series.markers[0].height, 1e-9);  // nothing before it: the next one's
    EXPECT_EQ(series.markers[1].height, 5.0);
    // The same numbers on a linear axis: nothing was lost.
    EXPECT_EQ(cutSeries(x, y).segments.at(0).size(), 5u);
    EXPECT_TRUE(cutSeries(x, y).markers.empty());
}

TEST(CutSeries, NothingDrawableLeavesMarkersWithoutHeight) {
    const DrawableSeries series = cutSeries(Numbers{0, 1}, Numbers{kNan, kNan});
    EXPECT_TRUE(series.segments.empty());
    EXPECT_TRUE(series.isolated.empty());
    EXPECT_EQ(series.nanCount, 2u);
    ASSERT_EQ(series.markers.size(), 2u);
    EXPECT_EQ(series.markers[1].height, std::nullopt);
    EXPECT_TRUE(cutSeries(Numbers{}, Numbers{}).markers.empty());
}

TEST(CutSeries, APointWithoutAPlaceIsAGap) {
    const DrawableSeries series = cutSeries(Numbers{0, kNan, 2}, Numbers{1, 2, 3});
    EXPECT_EQ(series.isolated, (Points{{0, 1}, {2, 3}}));
    EXPECT_EQ(series.unplacedCount, 1u);
    EXPECT_TRUE(series.markers.empty());
    EXPECT_THROW(cutSeries(Numbers{0}, Numbers{}), std::logic_error);
}

TEST(Decimate, KeepsFirstLastLowestAndHighestOfEachColumnInOrder) {
    const Points points = {{0, 5}, {1, 9}, {2, 6}, {3, 1}, {4, 7},   // column 0
                           {5, 2}, {6, 2}, {7, 2}, {8, 2}, {9, 2}};  // column 1, and the right edge
    EXPECT_EQ(decimate(points, 0, 10, 2), (Points{{0, 5}, {1, 9}, {3, 1}, {4, 7}, {5, 2}, {9, 2}}));
    // Lowest before highest, both inside; first is also the lowest.
    EXPECT_EQ(decimate(Points{{0, 1}, {1, 2}, {2, 9}, {3, 3}}, 0, 4, 1),
              (Points{{0, 1}, {2, 9}, {3, 3}}));
}

TEST(Decimate, AnUnthinnedSeriesStaysAsItIs) {
    const Points points = {{0, 1}, {1, 2}, {2, 3}, {3, 2}};
    EXPECT_EQ(decimate(points, 0, 3, 3), points);  // the last point falls into the last column
    EXPECT_TRUE(decimate(Points{}, 0, 1, 5).empty());
    EXPECT_EQ(decimate(Points{{2, 2}}, 0, 4, 5), (Points{{2, 2}}));
}

TEST(Decimate, OnePointOutsideOnEachSideLeadsLinesToTheEdge) {
    const Points points = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}};
    EXPECT_EQ(decimate(points, 1.5, 2.5, 10), (Points{{1, 2}, {2, 3}, {3, 4}}));
    EXPECT_EQ(decimate(points, 1.2, 1.8, 10), (Points{{1, 2}, {2, 3}}));
    EXPECT_THROW(decimate(points, 1, 1, 10), std::logic_error);
    EXPECT_THROW(decimate(points, 0, 1, 0), std::logic_error);
}

TEST(Decimate, NoSpikeOfAMillionPointsIsLost) {
    std::mt19937 random(7);
    Points points;
    for (int i = 0; i < 1'000'000; ++i) {
        points.push_back({static_cast<double>(i), static_cast<double>(random() % 1000)});
    }
    points[654'321].y = 1e6;
    points[123'456].y = -1e6;
    const Points kept = decimate(points, 0, 999'999, 800);
    EXPECT_LE(kept.size(), 4u * 800);
    EXPECT_NE(std::find(kept.begin(), kept.end(), points[654'321]), kept.end());
    EXPECT_NE(std::find(kept.begin(), kept.end(), points[123'456]), kept.end());
    EXPECT_EQ(kept.front(), points.front());
    EXPECT_EQ(kept.back(), points.back());
    EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end(),
                               [](const auto& a, const auto& b) { return a.x < b.x; }));
}

TEST(Band, PercentilesOfWhatIsFinite) {
    const Numbers values = {10, kNan, 0, 9, 1, 8, kInf, 2, 7, 3, 6, 4, 5};
    EXPECT_EQ(bandOf(values), (BandPoint{1, 5, 9, 11}));
    EXPECT_EQ(bandOf(Numbers{4}), (BandPoint{4, 4, 4, 1}));
    const auto pair = bandOf(Numbers{3, 1});
    EXPECT_DOUBLE_EQ(pair->low, 1.2);
    EXPECT_DOUBLE_EQ(pair->median, 2);
    EXPECT_DOUBLE_EQ(pair->high, 2.8);
    EXPECT_EQ(bandOf(Numbers{kNan, -kInf}), std::nullopt);
    EXPECT_EQ(bandOf(Numbers{}), std::nullopt);
}

}  // namespace
}  // namespace concertina
