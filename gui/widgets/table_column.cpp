// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/table_column.h"

namespace concertina::gui {

QVariant cellAlignment(bool numeric) {
    return QVariant::fromValue(Qt::Alignment(numeric ? Qt::AlignRight : Qt::AlignLeft) |
                               Qt::AlignVCenter);
}

QVariant headerAnswer(const ColumnHeader& column, Qt::Orientation orientation, int role) {
    if (orientation != Qt::Horizontal) {
        return {};
    }
    switch (role) {
        case Qt::DisplayRole:
            return QString::fromUtf8(column.title);
        case Qt::ToolTipRole:
            return QString::fromUtf8(column.tip);
        case Qt::TextAlignmentRole:
            return cellAlignment(column.numeric);
        default:
            return {};
    }
}

}  // namespace concertina::gui
