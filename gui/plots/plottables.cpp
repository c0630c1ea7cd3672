// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/plots/plottables.h"

#include <algorithm>
#include <cmath>

namespace concertina::gui {

void drawLines(QCPPainter* painter, const std::vector<std::vector<QPointF>>& lines) {
    const bool whole = painter->modes().testFlag(QCPPainter::pmVectorized) ||
                       painter->pen().style() != Qt::SolidLine;
    for (const auto& line : lines) {
        if (whole) {
            painter->drawPolyline(line.data(), int(line.size()));
            continue;
        }
        for (std::size_t i = 1; i < line.size(); ++i) {
            painter->drawLine(QLineF(line[i - 1], line[i]));
        }
    }
}

void drawCross(QCPPainter* painter, const QPointF& at, double halfPixels) {
    const QPointF down(halfPixels, halfPixels), up(halfPixels, -halfPixels);
    painter->drawLine(QLineF(at - down, at + down));
    painter->drawLine(QLineF(at - up, at + up));
}

OwnPlottable::OwnPlottable(QCPAxis* x, QCPAxis* y, const QString& layer)
    : QCPAbstractPlottable(x, y) {
    setSelectable(QCP::stNone);
    setLayer(layer);
    removeFromLegend();
}

QCPRange OwnPlottable::getKeyRange(bool& found, QCP::SignDomain) const {
    found = false;
    return {};
}

QCPRange OwnPlottable::getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const {
    found = false;
    return {};
}

void CurveSet::setSeries(std::vector<Series> series) {
    series_ = std::move(series);
    cut_.clear();
}

void CurveSet::cutForScale() {
    const bool logarithmic = mValueAxis->scaleType() == QCPAxis::stLogarithmic;
    const AxisScale scale = logarithmic ? AxisScale::Log : AxisScale::Linear;
    if (cut_.size() == series_.size() && scale == cutScale_) {
        return;
    }
    cutScale_ = scale;
    cut_.clear();
    for (const Series& series : series_) {
        cut_.push_back(cutSeries(series.x, series.y, scale));
    }
}

void CurveSet::draw(QCPPainter* painter) {
    painter->setAntialiasing(true);
    cutForScale();
    for (std::size_t i = 0; i < series_.size(); ++i) {
        const Segments segments = segmentsOf(cut_[i], mKeyAxis, mValueAxis);
        painter->setPen(mPen);
        painter->setBrush(Qt::NoBrush);
        drawLines(painter, segments.lines);
        painter->setPen(QPen(mPen.color(), 1.5));
        for (const QPointF& cross : segments.crosses) {
            drawCross(painter, cross, 3.5);
        }
        painter->setPen(Qt::NoPen);
        painter->setBrush(mPen.color());
        for (const QPointF& dot : segments.dots) {
            painter->drawEllipse(dot, 2.5, 2.5);
        }
        drawPoints(painter, series_[i]);
    }
}

/// Marks only where they are at least 8 px apart: with more they would hide the line.
void CurveSet::drawPoints(QCPPainter* painter, const Series& series) const {
    if (pointPixels_ <= 0 || series.x.size() < 2 || pixelX(series.x[1]) - pixelX(series.x[0]) < 8) {
        return;
    }
    const QRectF inside = box();
    for (std::size_t i = 0; i < series.x.size(); ++i) {
        const QPointF at(pixelX(series.x[i]), pixelY(series.y[i]));
        if (std::isfinite(series.y[i]) && inside.contains(at)) {
            painter->drawEllipse(at, pointPixels_ / 2, pointPixels_ / 2);
        }
    }
}

void Band::setData(Series low, std::vector<double> high) {
    low_ = std::move(low);
    high_ = std::move(high);
}

void Band::draw(QCPPainter* painter) {
    const bool logarithmic = mValueAxis->scaleType() == QCPAxis::stLogarithmic;
    const auto drawable = [&](std::size_t i) {
        const double low = low_.y[i];
        return std::isfinite(low) && std::isfinite(high_[i]) && !(logarithmic && low <= 0);
    };
    painter->setAntialiasing(true);
    painter->setPen(Qt::NoPen);
    painter->setBrush(mBrush);
    for (std::size_t begin = 0; begin < low_.x.size();) {
        std::size_t end = begin;
        while (end < low_.x.size() && drawable(end)) {
            ++end;
        }
        if (end - begin > 1) {
            drawRun(painter, begin, end);
        }
        begin = std::max(end, begin + 1);
    }
}

void Band::drawRun(QCPPainter* painter, std::size_t begin, std::size_t end) const {
    QPolygonF area;
    for (std::size_t i = begin; i < end; ++i) {
        area << QPointF(pixelX(low_.x[i]), pixelY(high_[i]));
    }
    for (std::size_t i = end; i > begin; --i) {
        area << QPointF(pixelX(low_.x[i - 1]), pixelY(low_.y[i - 1]));
    }
    painter->drawPolygon(area.intersected(QPolygonF(box())));
}

void Shading::setColor(const QColor& color, double opacity) {
    QColor fill = color;
    fill.setAlphaF(float(opacity));
    setBrush(fill);
    setPen(QPen(color));
}

void Shading::draw(QCPPainter* painter) {
    const QRectF inside = box();
    painter->setAntialiasing(false);
    painter->setPen(Qt::NoPen);
    for (const QCPRange& interval : intervals_) {
        const double left = std::max(inside.left(), pixelX(interval.lower));
        const double right = std::min(inside.right(), pixelX(interval.upper));
        if (right <= left) {
            continue;
        }
        painter->fillRect(QRectF(left, inside.top(), right - left, inside.height()), mBrush);
        painter->fillRect(QRectF(left, inside.top(), right - left, 3), mPen.color());
    }
}

void StepArea::draw(QCPPainter* painter) {
    const QRectF inside = box();
    painter->setAntialiasing(false);
    for (std::size_t begin = 0, end; begin < series_.x.size(); begin = end) {
        // Equal neighbours are one rectangle: a viewer of an SVG would show their seam.
        end = begin + 1;
        while (end < series_.x.size() && series_.y[end] == series_.y[begin] &&
               series_.x[end] == series_.x[end - 1] + 1) {
            ++end;
        }
        const double left = std::max(inside.left(), std::round(pixelX(series_.x[begin] - 0.5)));
        const double right = std::min(inside.right(), std::round(pixelX(series_.x[end - 1] + 0.5)));
        const double top = std::clamp(pixelY(series_.y[begin]), inside.top(), inside.bottom());
        if (right > left && series_.y[begin] > 0) {
            painter->fillRect(QRectF(left, top, right - left, inside.bottom() - top + 1), mBrush);
        }
    }
}

void Stems::draw(QCPPainter* painter) {
    const QRectF inside = box();
    const double base = std::min(pixelY(0), inside.bottom());
    painter->setAntialiasing(true);
    for (const Stem& stem : stems_) {
        const double x = pixelX(stem.x);
        if (x < inside.left() || x > inside.right()) {
            continue;
        }
        const double y = std::isfinite(stem.y) ? pixelY(stem.y) : inside.top();
        const double top = std::clamp(y, inside.top() + 4, inside.bottom());
        const double radius = stem.emphasized ? 3 : 2;
        painter->setPen(QPen(stem.color, stem.emphasized ? 1.5 : 1));
        if (base > top) {
            painter->drawLine(QLineF(x, base, x, top));
        }
        painter->setPen(Qt::NoPen);
        painter->setBrush(stem.color);
        if (y < inside.top()) {
            const QPointF arrow[] = {{x - 4, top + 3}, {x + 4, top + 3}, {x, top - 4}};
            painter->drawPolygon(arrow, 3);
        } else {
            painter->drawEllipse(QPointF(x, top), radius, radius);
        }
    }
}

QRect EdgeLabels::clipRect() const {
    const QCPAxisRect* rect = mKeyAxis->axisRect();
    return {rect->right(), rect->top() - 8, rect->margins().right(), rect->height() + 16};
}

void EdgeLabels::draw(QCPPainter* painter) {
    std::vector<std::pair<double, const Label*>> placed;
    const QRectF inside = box();
    for (const Label& label : labels_) {
        if (mValueAxis->range().contains(label.y)) {
            placed.emplace_back(pixelY(label.y), &label);
        }
    }
    std::sort(placed.begin(), placed.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    painter->setFont(font_);
    const double line = painter->fontMetrics().height();
    for (std::size_t i = 1; i < placed.size(); ++i) {
        placed[i].first = std::max(placed[i].first, placed[i - 1].first + line);
    }
    // Pushed out below? Move the lowest ones up again.
    double limit = inside.bottom() + line / 2;
    for (auto it = placed.rbegin(); it != placed.rend() && it->first > limit; ++it) {
        it->first = limit;
        limit -= line;
    }
    for (const auto& [y, label] : placed) {
        painter->setPen(label->color);
        painter->drawText(QRectF(inside.right() + 6, y - line / 2, 200, line),
                          Qt::AlignLeft | Qt::AlignVCenter, label->text);
    }
}

}  // namespace concertina::gui
