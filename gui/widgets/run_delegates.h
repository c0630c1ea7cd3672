// SPDX-License-Identifier: GPL-3.0-or-later
// How the runs table paints its two special cells: the status (shape and word) and the progress
// (bar and count). Painted, not widgets, so that ten thousand rows cost nothing. GUI thread.
#pragma once
#include <QStyledItemDelegate>

namespace concertina::gui {

class StatusDelegate : public QStyledItemDelegate {
    Q_OBJECT
 public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter,
               const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

class ProgressDelegate : public QStyledItemDelegate {
    Q_OBJECT
 public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter,
               const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

}  // namespace concertina::gui
