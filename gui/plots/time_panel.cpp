// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/plots/time_panel.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "gui/widgets/format.h"
#include "gui/widgets/palette.h"

namespace concertina::gui {
namespace {

QCPRange padded(const QCPRange& range, bool logarithmic) {
    if (logarithmic) {
        const double factor = std::max(1.15, std::pow(range.upper / range.lower, 0.06));
        return {range.lower / factor, range.upper * factor};
    }
    const double size = range.size() > 0 ? range.size() : std::max(1e-12, std::abs(range.lower));
    return {range.lower - 0.06 * size, range.upper + 0.06 * size};
}

void styleAxis(QCPAxis* axis, const PlotPalette& palette, const QFont& font) {
    axis->setBasePen(QPen(palette.context));
    axis->setTickPen(QPen(palette.context));
    axis->setSubTickPen(Qt::NoPen);
    axis->setTickLength(0, 3);
    axis->setTickLabelFont(font);
    axis->setLabelFont(font);
    axis->setTickLabelColor(palette.muted);
    axis->setLabelColor(palette.muted);
    axis->setTickLabelPadding(4);
    axis->setLabelPadding(4);
    axis->grid()->setPen(QPen(palette.grid));
    axis->grid()->setZeroLinePen(Qt::NoPen);
}

}  // namespace

TimePanel::TimePanel(QCustomPlot& plot, const PanelText& text, const Room& room)
    : yTitle_(text.yTitle),
      rect_(new QCPAxisRect(&plot)),
      header_(new PanelHeader(&plot, text.title, text.question)),
      leftFormat_(numberText),
      rightFormat_(numberText) {
    QCPLayoutGrid* layout = plot.plotLayout();
    layout->addElement(layout->rowCount(), 0, header_);
    const int row = layout->rowCount();
    layout->addElement(row, 0, rect_);
    layout->setRowStretchFactor(row - 1, 0.0001);
    layout->setRowStretchFactor(row, room.stretch);
    rect_->setLayer("background");
    rect_->setMinimumSize(50, room.minimumPixels);
    rect_->setMaximumSize(QWIDGETSIZE_MAX, room.maximumPixels);
    rect_->setSizeConstraintRect(QCPLayoutElement::scrInnerRect);
    rect_->setMinimumMargins(QMargins(8, 3, 12, 3));
    for (QCPAxis* axis : rect_->axes()) {
        axis->setLayer("axes");
        axis->grid()->setLayer("grid");
        axis->setOffset(0);
    }
    y()->setLabel(text.yTitle);
    rect_->axis(QCPAxis::atTop)->setVisible(false);
    rightY()->setVisible(false);
    rightY()->grid()->setVisible(false);
    setScale(TickUnit::Number, false);
}

void TimePanel::setScale(TickUnit unit, bool logarithmic) {
    gui::setScale(y(), unit, logarithmic);
    if (yFitted_) {
        fitY();
    }
}

void TimePanel::setRightScale(TickUnit unit, const QString& title) {
    gui::setScale(rightY(), unit, false);
    rightY()->setLabel(title);
    rightY()->setVisible(true);
}

void TimePanel::setFormat(std::function<QString(double)> left,
                          std::function<QString(double)> right) {
    leftFormat_ = std::move(left);
    rightFormat_ = std::move(right);
}

void TimePanel::setCurves(std::vector<Curve> curves) {
    curves_ = std::move(curves);
    QCustomPlot* plot = rect_->parentPlot();
    for (std::size_t i = curves_.size(); i < drawn_.size(); ++i) {
        plot->removePlottable(drawn_[i]);
    }
    drawn_.resize(std::min(drawn_.size(), curves_.size()));
    for (std::size_t i = 0; i < curves_.size(); ++i) {
        const Curve& curve = curves_[i];
        if (i == drawn_.size()) {
            drawn_.push_back(new CurveSet(x(), y()));
        }
        drawn_[i]->setValueAxis(curve.rightAxis ? rightY() : y());
        drawn_[i]->setName(curve.name);
        drawn_[i]->setPen(curve.pen);
        drawn_[i]->setPointSize(curve.points ? 2 * curve.pen.widthF() + 2 : 0);
        drawn_[i]->setSeries({Series{curve.x, curve.y}});
    }
    if (yFitted_) {
        fitY();
    }
    setLegendAt({});
}

void TimePanel::setLegendAt(std::optional<double> at) {
    std::vector<LegendEntry> entries;
    for (const Curve& curve : curves_) {
        if (!curve.inLegend) {
            continue;
        }
        LegendEntry entry{curve.name, curve.pen};
        const auto end = at ? std::upper_bound(curve.x.begin(), curve.x.end(), *at) : curve.x.end();
        if (end != curve.x.begin()) {
            const double value = curve.y[std::size_t(end - curve.x.begin()) - 1];
            entry.value = (curve.rightAxis ? rightFormat_ : leftFormat_)(value);
        }
        entries.push_back(entry);
    }
    header_->setLegend(std::move(entries));
}

std::optional<QCPRange> TimePanel::span(bool rightAxis, bool logarithmic) const {
    std::optional<QCPRange> range;
    const auto take = [&](double value) {
        if (!std::isfinite(value) || (logarithmic && value <= 0)) {
            return;
        }
        range ? range->expand(value) : void(range = QCPRange(value, value));
    };
    for (const Curve& curve : curves_) {
        if (curve.rightAxis == rightAxis) {
            std::for_each(curve.y.begin(), curve.y.end(), take);
        }
    }
    if (!rightAxis) {
        std::for_each(yFitAlso_.begin(), yFitAlso_.end(), take);
    }
    return range;
}

void TimePanel::fitY() {
    yFitted_ = true;
    const bool logarithmic = y()->scaleType() == QCPAxis::stLogarithmic;
    if (yFitRange_) {
        y()->setRange(*yFitRange_);
    } else if (const auto range = span(false, logarithmic)) {
        y()->setRange(padded(*range, logarithmic));
    } else {
        y()->setRange(logarithmic ? QCPRange(0.1, 10) : QCPRange(0, 1));
    }
    if (rightY()->visible()) {
        const auto range = span(true, false);
        rightY()->setRange(range ? padded(*range, false) : QCPRange(0, 1));
    }
}

void TimePanel::setColors(const PlotPalette& palette) {
    QFont font = rect_->parentPlot()->font();
    font.setPointSizeF(9);
    for (QCPAxis* axis : rect_->axes()) {
        styleAxis(axis, palette, font);
    }
    header_->setColors(palette);
}

DataTable TimePanel::table() const { return tableSource_ ? tableSource_() : curveTable(); }

/// One row per x that any curve has.
DataTable TimePanel::curveTable() const {
    DataTable table{header_->title(), {xName_}, {}};
    std::map<double, std::vector<QVariant>> rows;
    for (std::size_t i = 0; i < curves_.size(); ++i) {
        const Curve& curve = curves_[i];
        const QString unit = curve.rightAxis ? rightY()->label() : yTitle_;
        table.columns << (unit.isEmpty() ? curve.name : QString("%1 [%2]").arg(curve.name, unit));
        for (std::size_t point = 0; point < curve.x.size(); ++point) {
            auto& row = rows[curve.x[point]];
            row.resize(curves_.size());
            row[i] = curve.y[point];
        }
    }
    for (auto& [at, cells] : rows) {
        cells.insert(cells.begin(), at);
        table.rows.push_back(std::move(cells));
    }
    return table;
}

}  // namespace concertina::gui
