// SPDX-License-Identifier: GPL-3.0-or-later
// What item models say of a column: its header, and on which side its cells stand. GUI thread.
#pragma once
#include <QString>
#include <QVariant>
#include <Qt>

namespace concertina::gui {

/// Numbers stand right, text left.
QVariant cellAlignment(bool numeric);

struct ColumnHeader {
    const char* title;  // UTF-8, as the tip
    const char* tip;
    bool numeric;
};
/// What a model's headerData answers for this column.
QVariant headerAnswer(const ColumnHeader& column, Qt::Orientation orientation, int role);

}  // namespace concertina::gui
