// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/run_delegates.h"

#include <QApplication>
#include <QPainter>
#include <algorithm>

#include "gui/models/runs_filter.h"
#include "gui/widgets/status_icon.h"

namespace concertina::gui {
namespace {

constexpr int kIconSize = 10;
constexpr int kMargin = 8;

const RunRow& runAt(const QModelIndex& index) {
    return static_cast<const RunsFilter*>(index.model())->run(index.row());
}

/// Selection and hover as every other cell has them, without the text.
QStyleOptionViewItem paintEmptyCell(QPainter* painter, const QStyleOptionViewItem& option) {
    QStyleOptionViewItem cell = option;
    cell.text.clear();
    QApplication::style()->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
    return cell;
}

QColor cellTextColor(const QStyleOptionViewItem& option) {
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    return option.palette.color(selected ? QPalette::HighlightedText : QPalette::Text);
}

/// On the selection's blue every shape is drawn in its text colour.
PlotPalette iconPalette(const QStyleOptionViewItem& option) {
    PlotPalette palette = plotPalette(isDarkPalette());
    if (option.state.testFlag(QStyle::State_Selected)) {
        const QColor text = cellTextColor(option);
        palette.runs.fill(text);
        palette.muted = palette.critical = text;
    }
    return palette;
}

}  // namespace

void StatusDelegate::paint(QPainter* painter,
                           const QStyleOptionViewItem& option,
                           const QModelIndex& index) const {
    QStyleOptionViewItem full = option;
    initStyleOption(&full, index);
    const QString text = full.text;
    paintEmptyCell(painter, full);
    const QRect box = option.rect.adjusted(kMargin, 0, 0, 0);
    const QRectF icon(box.left(), box.center().y() - kIconSize / 2.0 + 0.5, kIconSize, kIconSize);
    paintStatusIcon(*painter, icon, runAt(index).status, iconPalette(option));
    painter->setPen(cellTextColor(option));
    painter->drawText(box.adjusted(kIconSize + kMargin, 0, 0, 0), Qt::AlignVCenter, text);
}

QSize StatusDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    return QStyledItemDelegate::sizeHint(option, index) + QSize(kIconSize + 2 * kMargin, 0);
}

void ProgressDelegate::paint(QPainter* painter,
                             const QStyleOptionViewItem& option,
                             const QModelIndex& index) const {
    QStyleOptionViewItem full = option;
    initStyleOption(&full, index);
    const QString text = full.text;
    paintEmptyCell(painter, full);
    const RunRow& run = runAt(index);
    const QRect box = option.rect.adjusted(kMargin, 0, -kMargin, 0);
    const double share = run.epochsPlanned > 0 ? double(run.epochsDone) / run.epochsPlanned : 0;
    const int textWidth = option.fontMetrics.horizontalAdvance(QStringLiteral("000/000"));
    QRectF bar(box.left(), box.center().y() - 2, std::max(0, box.width() - textWidth - kMargin), 5);
    const PlotPalette palette = plotPalette(isDarkPalette());
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(palette.grid);
    painter->drawRoundedRect(bar, 2.5, 2.5);
    bar.setWidth(bar.width() * std::clamp(share, 0.0, 1.0));
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    painter->setBrush(isActive(run.status) ? palette.runs[0] : palette.muted);
    if (selected) {
        painter->setBrush(cellTextColor(option));
    }
    painter->drawRoundedRect(bar, 2.5, 2.5);
    painter->restore();
    painter->setPen(cellTextColor(option));
    painter->drawText(box, Qt::AlignVCenter | Qt::AlignRight, text);
}

}  // namespace concertina::gui
