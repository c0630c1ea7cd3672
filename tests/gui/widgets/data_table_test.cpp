// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/data_table.h"

#include <gtest/gtest.h>

#include <QItemSelectionModel>
#include <limits>

namespace concertina::gui {
namespace {

DataTable exampleTable() {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    return {"Loss", {"epoch", "loss", "note"}, {{1, 0.1, "a"}, {2, nan, QVariant()}}};
}

TEST(DataTable, TsvHasEveryDigitAndNamesWhatIsNotFinite) {
    EXPECT_EQ(toTsv(exampleTable()), "epoch\tloss\tnote\n1\t0.1\ta\n2\tnan\t\n");
    EXPECT_EQ(cellText(1.0 / 3), "0.3333333333333333");
}

TEST(DataTable, CopiesTheSelectedRectangleOnly) {
    DataTableModel model(exampleTable());
    QItemSelectionModel selection(&model);
    selection.select(QItemSelection(model.index(0, 1), model.index(1, 2)),
                     QItemSelectionModel::Select);
    EXPECT_EQ(selectionTsv(selection), "0.1\ta\nnan\t\n");
}

TEST(DataTable, NumbersAlignRight) {
    const DataTableModel model(exampleTable());
    const auto alignment = [&](int column) {
        return model.data(model.index(0, column), Qt::TextAlignmentRole).value<Qt::Alignment>();
    };
    EXPECT_TRUE(alignment(1).testFlag(Qt::AlignRight));
    EXPECT_TRUE(alignment(2).testFlag(Qt::AlignLeft));
    EXPECT_EQ(model.headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(), "loss");
}

}  // namespace
}  // namespace concertina::gui
