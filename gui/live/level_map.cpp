// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/live/level_map.h"

#include <algorithm>
#include <cmath>

#include "gui/widgets/format.h"
#include "gui/widgets/palette.h"

namespace concertina::gui {
namespace {

constexpr double kCapShare = 0.22;
constexpr double kReadableRowPixels = 13;
constexpr double kBarPixels = 30, kBarGap = 8;

/// Black or white, whatever reads better on the fill.
QColor inkOn(const QColor& fill) {
    const double luminance = 0.299 * fill.red() + 0.587 * fill.green() + 0.114 * fill.blue();
    return luminance > 140 ? QColor(0x1B1E23) : QColor(Qt::white);
}

}  // namespace

LevelMap::LevelMap(QCPAxis* x, QCPAxis* y) : OwnPlottable(x, y), palette_(&plotPalette(false)) {}

void LevelMap::setRows(std::vector<MapRow> rows, int levels) {
    rows_ = std::move(rows);
    levels_ = levels;
    largestShare_ = 0;
    for (const MapRow& row : rows_) {
        largestShare_ = std::max(largestShare_, row.bytesShare);
    }
}

void LevelMap::setColors(const PlotPalette& palette) { palette_ = &palette; }

std::optional<int> LevelMap::rowAt(double pixelY) const {
    const int row = int(std::floor(mValueAxis->pixelToCoord(pixelY) + 0.5));
    const bool inside = pixelY >= box().top() && pixelY <= box().bottom();
    return inside && row >= 0 && row < int(rows_.size()) ? std::optional(row) : std::nullopt;
}

double LevelMap::rowPixels() const { return std::abs(pixelY(1) - pixelY(0)); }

QRect LevelMap::clipRect() const {
    const QCPAxisRect* rect = mKeyAxis->axisRect();
    return rect->rect().adjusted(0, 0, rect->margins().right(), 1);
}

/// Snapped to pixels, with a gap of one pixel to the next row where rows are high enough to afford
/// it.
QRectF LevelMap::rowArea(int index) const {
    const double top = std::round(pixelY(index - 0.5));
    const double bottom = std::round(pixelY(index + 0.5)) - (rowPixels() >= 5 ? 1 : 0);
    return {box().left(), top, box().width(), std::max(1.0, bottom - top)};
}

void LevelMap::draw(QCPPainter* painter) {
    painter->setAntialiasing(false);
    painter->setFont(font_);
    for (int row = 0; row < int(rows_.size()); ++row) {
        drawRow(painter, row);
    }
    if (selected_ && *selected_ < int(rows_.size())) {
        const QRectF area = rowArea(*selected_).intersected(box());
        if (!area.isEmpty()) {
            // Low rows are framed from outside, or the frame would hide them.
            const double out = rowPixels() < kReadableRowPixels ? 1.5 : 0;
            painter->setPen(QPen(palette_->text, 2));
            painter->setBrush(Qt::NoBrush);
            painter->drawRect(area.adjusted(0, -out, -1, out));
        }
    }
}

void LevelMap::drawRow(QCPPainter* painter, int index) const {
    const MapRow& row = rows_[std::size_t(index)];
    const QRectF area = rowArea(index).intersected(box());
    if (area.isEmpty()) {
        return;
    }
    for (const MapRun& run : row.runs) {
        drawRun(painter, run, area);
    }
    drawShare(painter, row, area);
    const double half = std::min({4.0, area.height() / 2 - 1, std::abs(pixelX(1) - pixelX(0)) / 2});
    for (const int epoch : row.nonFinite) {
        const QPointF center(pixelX(epoch + 1), area.center().y());
        if (!box().contains(center)) {
            continue;
        }
        painter->setAntialiasing(true);
        painter->setPen(QPen(palette_->background, 4));
        drawCross(painter, center, std::max(2.0, half));
        painter->setPen(QPen(palette_->text, 1.8));
        drawCross(painter, center, std::max(2.0, half));
        painter->setAntialiasing(false);
    }
}

void LevelMap::drawRun(QCPPainter* painter, const MapRun& run, const QRectF& row) const {
    const double left = std::max(box().left(), std::round(pixelX(run.firstEpoch + 0.5)));
    const double right = std::min(box().right() + 1, std::round(pixelX(run.lastEpoch + 1.5)));
    if (right <= left) {
        return;
    }
    const QColor fill = run.level < 0 ? palette_->dense : levelColor(*palette_, run.level, levels_);
    // A hairline between runs: two neighbours may differ by their reason alone.
    const double gap = right - left > 4 ? 1 : 0;
    const QRectF cell(left, row.top(), right - left - gap, row.height());
    painter->fillRect(cell, fill);
    if (run.critical) {
        const double cap = std::max(1.0, std::round(row.height() * kCapShare));
        painter->fillRect(QRectF(left, row.top(), cell.width(), cap), palette_->critical);
    }
    if (!run.letter.isNull() && row.height() >= kReadableRowPixels && cell.width() >= 9) {
        painter->setPen(inkOn(fill));
        const double oneCell = std::abs(pixelX(1) - pixelX(0));
        const QRectF place(left, row.top() - 1, std::clamp(oneCell, 9.0, cell.width()),
                           row.height() + 1);
        painter->drawText(place, Qt::AlignCenter, QString(run.letter));
    }
}

void LevelMap::drawShare(QCPPainter* painter, const MapRow& row, const QRectF& area) const {
    if (largestShare_ <= 0) {
        return;
    }
    const double left = area.right() + kBarGap;
    const double width = kBarPixels * row.bytesShare / largestShare_;
    const double inset = area.height() > 12 ? 3 : 0;
    painter->fillRect(
        QRectF(left, area.top() + inset, std::max(1.0, width), area.height() - 2 * inset),
        palette_->context);
    if (area.height() >= kReadableRowPixels) {
        painter->setPen(palette_->muted);
        const QString text = row.bytesShare < 0.0005 ? "0" : percentText(row.bytesShare);
        painter->drawText(QRectF(left + width + 4, area.top() - 1, 60, area.height() + 2),
                          Qt::AlignLeft | Qt::AlignVCenter, text);
    }
}

}  // namespace concertina::gui
