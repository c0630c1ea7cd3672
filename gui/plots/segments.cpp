// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/plots/segments.h"

#include "gui/plots/custom_plot.h"

#include <algorithm>
#include <cmath>
#include <optional>

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

/// First, lowest, highest and last point of each pixel column, in order of x.
std::vector<QPointF> decimated(const std::vector<QPointF>& points) {
    std::vector<QPointF> kept;
    for (std::size_t begin = 0, end; begin < points.size(); begin = end) {
        std::size_t low = begin, high = begin;
        for (end = begin;
             end < points.size() && std::floor(points[end].x()) == std::floor(points[begin].x());
             ++end) {
            low = points[end].y() < points[low].y() ? end : low;
            high = points[end].y() > points[high].y() ? end : high;
        }
        std::size_t picks[] = {begin, std::min(low, high), std::max(low, high), end - 1};
        const auto last = std::unique(std::begin(picks), std::end(picks));
        for (auto pick = std::begin(picks); pick != last; ++pick) {
            kept.push_back(points[*pick]);
        }
    }
    return kept;
}

class Builder {
 public:
    explicit Builder(const QRectF& box) : box_(box) {}

    void add(QPointF pixel) { run_.push_back(pixel); }
    void addCross(double x) {
        const double y = run_.empty() ? lastY_.value_or(box_.bottom() - 5) : run_.back().y();
        crosses_.emplace_back(x, std::clamp(y, box_.top(), box_.bottom()));
    }
    void endRun() {
        if (run_.empty()) {
            return;
        }
        lastY_ = run_.back().y();
        if (run_.size() == 1 && box_.contains(run_.front())) {
            result_.dots.push_back(run_.front());
        }
        addClipped(decimated(run_));
        run_.clear();
    }
    Segments take() {
        endRun();
        for (const QPointF& cross : crosses_) {
            if (box_.contains(cross)) {
                result_.crosses.push_back(cross);
            }
        }
        return std::move(result_);
    }

 private:
    void addClipped(const std::vector<QPointF>& points) {
        std::vector<QPointF> line;
        const auto endLine = [&] {
            if (line.size() > 1) {
                result_.lines.push_back(std::move(line));
            }
            line = {};
        };
        for (std::size_t i = 1; i < points.size(); ++i) {
            const auto part = clipped(points[i - 1], points[i], box_);
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

    QRectF box_;
    std::vector<QPointF> run_, crosses_;
    std::optional<double> lastY_;
    Segments result_;
};

}  // namespace

Segments segmentsOf(const Series& series, const QCPAxis* x, const QCPAxis* y) {
    Builder builder(QRectF(x->axisRect()->rect()));
    const bool logarithmic = y->scaleType() == QCPAxis::stLogarithmic;
    const auto begin = series.x.begin();
    auto first = std::lower_bound(begin, series.x.end(), x->range().lower);
    auto last = std::upper_bound(first, series.x.end(), x->range().upper);
    // One neighbour more on each side, so that lines run to the edge.
    first -= first != begin ? 1 : 0;
    last += last != series.x.end() ? 1 : 0;
    for (auto it = first; it != last; ++it) {
        const double value = series.y[std::size_t(it - begin)];
        if (std::isfinite(value) && !(logarithmic && value <= 0)) {
            builder.add({x->coordToPixel(*it), y->coordToPixel(value)});
            continue;
        }
        if (!std::isfinite(value)) {
            builder.addCross(x->coordToPixel(*it));
        }
        builder.endRun();
    }
    return builder.take();
}

}  // namespace concertina::gui
