// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/plots/panel_header.h"

#include "gui/plots/plottables.h"
#include "gui/widgets/palette.h"

namespace concertina::gui {
namespace {

constexpr double kSwatchWidth = 16, kGap = 5, kEntryGap = 14;

}  // namespace

PanelHeader::PanelHeader(QCustomPlot* plot, QString title, QString question)
    : QCPLayoutElement(plot),
      title_(std::move(title)),
      question_(std::move(question)),
      palette_(&plotPalette(false)) {
    setLayer(kLayer);
    setMinimumMargins(QMargins(0, 0, 0, 0));
    setMargins(QMargins(0, 0, 0, 0));
    const int height = QFontMetrics(font(true)).height() + 4;
    setMinimumSize(50, height);
    setMaximumSize(QWIDGETSIZE_MAX, height);
}

void PanelHeader::setColors(const PlotPalette& palette) { palette_ = &palette; }

QFont PanelHeader::font(bool bold) const {
    QFont font = mParentPlot->font();
    font.setPointSizeF(bold ? 9.5 : 9);
    font.setWeight(bold ? QFont::DemiBold : QFont::Normal);
    return font;
}

void PanelHeader::draw(QCPPainter* painter) {
    const QRectF area = QRectF(mRect).adjusted(8, 0, -8, 0);
    const double legendLeft = drawLegend(painter, area);
    painter->setAntialiasing(true);
    painter->setFont(font(true));
    painter->setPen(palette_->text);
    painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter, title_);
    const double left = area.left() + painter->fontMetrics().horizontalAdvance(title_) + 10;
    painter->setFont(font(false));
    painter->setPen(palette_->muted);
    const double room = legendLeft - left - kEntryGap;
    // A cut question answers nothing: show it whole or not at all.
    if (painter->fontMetrics().horizontalAdvance(question_) <= room) {
        painter->drawText(QRectF(left, area.top(), room, area.height()),
                          Qt::AlignLeft | Qt::AlignVCenter, question_);
    }
}

/// Right-aligned, last entry at the edge. Returns where it begins.
double PanelHeader::drawLegend(QCPPainter* painter, const QRectF& area) const {
    painter->setFont(font(false));
    const QFontMetricsF metrics(painter->font());
    double right = area.right();
    for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
        const auto put = [&](const QString& text, const QColor& color) {
            const double width = metrics.horizontalAdvance(text);
            painter->setPen(color);
            painter->drawText(QRectF(right - width, area.top(), width + 1, area.height()),
                              Qt::AlignLeft | Qt::AlignVCenter, text);
            right -= width + kGap;
        };
        if (!entry->value.isEmpty()) {
            put(entry->value, palette_->text);
        }
        put(entry->name, palette_->muted);
        if (entry->swatch != Swatch::None) {
            const QRectF box(right - kSwatchWidth, area.center().y() - 5, kSwatchWidth, 10);
            drawSwatch(painter, *entry, box);
            right -= kSwatchWidth;
        }
        right -= kEntryGap;
    }
    return right + kEntryGap;
}

void PanelHeader::drawSwatch(QCPPainter* painter,
                             const LegendEntry& entry,
                             const QRectF& area) const {
    const double middle = area.center().y();
    painter->setAntialiasing(true);
    painter->setPen(entry.pen);
    switch (entry.swatch) {
        case Swatch::Line:
            painter->drawLine(QLineF(area.left(), middle, area.right(), middle));
            break;
        case Swatch::Area:
            painter->fillRect(area.adjusted(2, 0, -2, 0), entry.pen.color());
            break;
        case Swatch::Cap:
            painter->fillRect(area.adjusted(2, 0, -2, 0), palette_->mild);
            painter->fillRect(QRectF(area.left() + 2, area.top(), area.width() - 4, 3),
                              entry.pen.color());
            break;
        case Swatch::Cross:
            drawCross(painter, area.center(), 3.5);
            break;
        case Swatch::Stem:
            painter->drawLine(
                QLineF(area.center().x(), area.bottom() + 1, area.center().x(), middle));
            painter->setBrush(entry.pen.color());
            painter->drawEllipse(QPointF(area.center().x(), middle - 1), 2.5, 2.5);
            break;
        case Swatch::None:
            break;
    }
}

}  // namespace concertina::gui
