// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/plots/segments.h"

#include <QLineF>
#include <QRectF>
#include <algorithm>
#include <optional>

#include "gui/plots/custom_plot.h"

namespace concertina::gui {
namespace {

/// Liang-Barsky: the part of a line inside the rectangle.
std::optional<QLineF> clipped(QPointF a, QPointF b, const QRectF& box) {
    double from = 0, to = 1;
    const QPointF d = b - a;
    const auto cut = [&](double slope, double distance) {
        if (slope == 0) {
            return distance >= 0;
        }
        const double t = distance / slope;
        slope < 0 ? from = std::max(from, t) : to = std::min(to, t);
        return from <= to;
    };
    if (!cut(-d.x(), a.x() - box.left()) || !cut(d.x(), box.right() - a.x()) ||
        !cut(-d.y(), a.y() - box.top()) || !cut(d.y(), box.bottom() - a.y())) {
        return {};
    }
    return QLineF(a + from * d, a + to * d);
}

void addClipped(const std::vector<QPointF>& points, const QRectF& box, Segments& segments) {
    std::vector<QPointF> line;
    const auto endLine = [&] {
        if (line.size() > 1) {
            segments.lines.push_back(std::move(line));
        }
        line = {};
    };
    for (std::size_t i = 1; i < points.size(); ++i) {
        const auto part = clipped(points[i - 1], points[i], box);
        if (!part) {
            endLine();
            continue;
        }
        if (line.empty() || line.back() != part->p1()) {
            endLine();
            line.push_back(part->p1());
        }
        line.push_back(part->p2());
    }
    endLine();
}

}  // namespace

Segments segmentsOf(const DrawableSeries& series, const QCPAxis* x, const QCPAxis* y) {
    Segments segments;
    const QRectF box(x->axisRect()->rect());
    const auto pixel = [&](double atX, double atY) {
        return QPointF(x->coordToPixel(atX), y->coordToPixel(atY));
    };
    const int pixels = std::max(1, int(box.width()));
    std::vector<QPointF> line;
    for (const auto& segment : series.segments) {
        line.clear();
        for (const SeriesPoint& point :
             decimate(segment, x->range().lower, x->range().upper, pixels)) {
            line.push_back(pixel(point.x, point.y));
        }
        addClipped(line, box, segments);
    }
    for (const SeriesPoint& point : series.isolated) {
        if (const QPointF at = pixel(point.x, point.y); box.contains(at)) {
            segments.dots.push_back(at);
        }
    }
    for (const UndrawableMarker& marker : series.markers) {
        if (marker.kind == Undrawable::NotPositive) {
            continue;  // counted in the legend: a dead layer would draw a row of them
        }
        QPointF at(x->coordToPixel(marker.x), box.bottom() - 5);
        if (marker.height) {
            at.setY(std::clamp(y->coordToPixel(*marker.height), box.top(), box.bottom()));
        }
        if (box.contains(at)) {
            segments.crosses.push_back(at);
        }
    }
    return segments;
}

}  // namespace concertina::gui
