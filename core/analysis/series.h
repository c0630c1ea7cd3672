// SPDX-License-Identifier: Apache-2.0
// What of a recorded series can be drawn, and how it is thinned out. Plots draw exactly this; NaN,
// infinities and, on a log axis, values <= 0 never reach a plotting library: they become gaps,
// markers and counts. Pure functions, any thread.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace concertina {

struct SeriesPoint {
    double x, y;
    bool operator==(const SeriesPoint&) const = default;
};

enum class AxisScale { Linear, Log };

enum class Undrawable { Nan, PositiveInfinity, NegativeInfinity, NotPositive };

/// Where a value is that cannot be drawn, and the height to put its marker at.
struct UndrawableMarker {
    Undrawable kind;
    std::size_t index;  // in the series
    double x;
    std::optional<double> height;  // of the last drawable point before it, else of the next after
                                   // it; absent when the series has none
};

struct DrawableSeries {
    std::vector<std::vector<SeriesPoint>> segments;  // lines, of 2 points or more
    std::vector<SeriesPoint> isolated;               // points between gaps: drawn as dots
    std::vector<UndrawableMarker> markers;           // in order
    std::size_t nanCount = 0, infinityCount = 0, notPositiveCount = 0;
    std::size_t unplacedCount = 0;  // x itself is not finite: no marker either
};

/// REQUIRES: as many x as y.
DrawableSeries cutSeries(std::span<const double> x,
                         std::span<const double> y,
                         AxisScale yScale = AxisScale::Linear);

/// At most four points a pixel column: the first, last, lowest and highest of each, in the order of
/// the series; so no spike is lost. Of what lies outside [xFrom, xTo] the nearest point on each
/// side is kept, so that lines reach the edges. REQUIRES: x ascending (equal ones allowed), finite
/// points, xFrom < xTo, pixels >= 1.
std::vector<SeriesPoint> decimate(std::span<const SeriesPoint> points,
                                  double xFrom,
                                  double xTo,
                                  int pixels);

/// Median and 10 % and 90 % percentiles, linear between neighbours (Hyndman and Fan's type 7).
struct BandPoint {
    double low, median, high;
    std::size_t count;  // of finite values
    bool operator==(const BandPoint&) const = default;
};
/// Of the finite ones among `values`; absent when there are none.
std::optional<BandPoint> bandOf(std::span<const double> values);

}  // namespace concertina
