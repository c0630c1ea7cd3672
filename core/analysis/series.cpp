// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/series.h"

#include <algorithm>
#include <cmath>

#include "core/base/check.h"

namespace concertina {
namespace {

std::optional<Undrawable> whyUndrawable(double y, AxisScale scale) {
    if (std::isnan(y)) {
        return Undrawable::Nan;
    }
    if (std::isinf(y)) {
        return y > 0 ? Undrawable::PositiveInfinity : Undrawable::NegativeInfinity;
    }
    if (scale == AxisScale::Log && y <= 0) {
        return Undrawable::NotPositive;
    }
    return std::nullopt;
}

void count(DrawableSeries& series, Undrawable kind) {
    switch (kind) {
        case Undrawable::Nan:
            ++series.nanCount;
            break;
        case Undrawable::PositiveInfinity:
        case Undrawable::NegativeInfinity:
            ++series.infinityCount;
            break;
        case Undrawable::NotPositive:
            ++series.notPositiveCount;
            break;
    }
}

/// A line, or a dot if it is but one point; `points` is empty afterwards.
void endSegment(DrawableSeries& series, std::vector<SeriesPoint>& points) {
    if (points.size() == 1) {
        series.isolated.push_back(points.front());
    } else if (!points.empty()) {
        series.segments.push_back(std::move(points));
    }
    points.clear();
}

/// The points of one pixel column that are kept: indices, ascending.
class Column {
 public:
    void add(std::span<const SeriesPoint> points, std::size_t index) {
        if (empty_) {
            first_ = lowest_ = highest_ = index;
            empty_ = false;
        }
        last_ = index;
        if (points[index].y < points[lowest_].y) {
            lowest_ = index;
        }
        if (points[index].y > points[highest_].y) {
            highest_ = index;
        }
    }
    void moveTo(std::span<const SeriesPoint> points, std::vector<SeriesPoint>& kept) {
        if (empty_) {
            return;
        }
        const auto [low, high] = std::minmax(lowest_, highest_);
        std::size_t previous = first_;
        kept.push_back(points[first_]);
        for (const std::size_t index : {low, high, last_}) {
            if (index != previous) {
                kept.push_back(points[index]);
                previous = index;
            }
        }
        empty_ = true;
    }

 private:
    bool empty_ = true;
    std::size_t first_ = 0, last_ = 0, lowest_ = 0, highest_ = 0;
};

/// REQUIRES: `sorted` ascending and not empty, 0 <= share <= 1.
double percentile(const std::vector<double>& sorted, double share) {
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    const double part = place - static_cast<double>(below);
    return part == 0 ? sorted[below] : sorted[below] * (1 - part) + sorted[above] * part;
}

}  // namespace

DrawableSeries cutSeries(std::span<const double> x, std::span<const double> y, AxisScale yScale) {
    CONCERTINA_CHECK(x.size() == y.size(),
                     std::to_string(x.size()) + " x for " + std::to_string(y.size()) + " y");
    DrawableSeries series;
    std::vector<SeriesPoint> points;
    std::optional<double> lastHeight;
    std::size_t markersWithoutHeight = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const auto why = whyUndrawable(y[i], yScale);
        if (why) {
            count(series, *why);
        }
        if (!std::isfinite(x[i])) {
            ++series.unplacedCount;
            endSegment(series, points);
            continue;
        }
        if (why) {
            endSegment(series, points);
            series.markers.push_back({*why, i, x[i], lastHeight});
            markersWithoutHeight += lastHeight ? 0 : 1;
            continue;
        }
        if (!lastHeight) {  // markers so far come first, and take the height of what follows them
            for (std::size_t marker = 0; marker < markersWithoutHeight; ++marker) {
                series.markers[marker].height = y[i];
            }
        }
        lastHeight = y[i];
        points.push_back({x[i], y[i]});
    }
    endSegment(series, points);
    return series;
}

std::vector<SeriesPoint> decimate(std::span<const SeriesPoint> points,
                                  double xFrom,
                                  double xTo,
                                  int pixels) {
    CONCERTINA_CHECK(xFrom < xTo && pixels >= 1, "an empty range or width");
    const auto left = [](const SeriesPoint& point, double x) { return point.x < x; };
    const auto right = [](double x, const SeriesPoint& point) { return x < point.x; };
    const auto begin = std::lower_bound(points.begin(), points.end(), xFrom, left);
    const auto end = std::upper_bound(begin, points.end(), xTo, right);
    std::vector<SeriesPoint> kept;
    if (begin != points.begin()) {
        kept.push_back(*std::prev(begin));
    }
    Column column;
    double columnNumber = 0;
    for (auto point = begin; point != end; ++point) {
        const double place = (point->x - xFrom) / (xTo - xFrom) * pixels;
        const double number = std::min(std::floor(place), pixels - 1.0);
        if (number != columnNumber) {
            column.moveTo(points, kept);
            columnNumber = number;
        }
        column.add(points, static_cast<std::size_t>(point - points.begin()));
    }
    column.moveTo(points, kept);
    if (end != points.end()) {
        kept.push_back(*end);
    }
    return kept;
}

std::optional<BandPoint> bandOf(std::span<const double> values) {
    std::vector<double> finite;
    std::copy_if(values.begin(), values.end(), std::back_inserter(finite),
                 [](double value) { return std::isfinite(value); });
    if (finite.empty()) {
        return std::nullopt;
    }
    std::sort(finite.begin(), finite.end());
    return BandPoint{percentile(finite, 0.1), percentile(finite, 0.5), percentile(finite, 0.9),
                     finite.size()};
}

}  // namespace concertina
