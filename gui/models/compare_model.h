// SPDX-License-Identifier: GPL-3.0-or-later
// CompareModel: final values of the compared groups as a table, each with its difference to the
// first group, the baseline. Cells are
// text as shown; table() has the numbers for the clipboard. GUI thread.
#pragma once
#include <QAbstractTableModel>
#include <QPen>
#include <vector>

#include "gui/models/compare_groups.h"
#include "gui/widgets/data_table.h"

namespace concertina::gui {

class CompareModel : public QAbstractTableModel {
    Q_OBJECT
 public:
    using QAbstractTableModel::QAbstractTableModel;
    /// `pens`: how each group is drawn, for the swatch in its row.
    void setGroups(std::vector<CompareGroup> groups, std::vector<QPen> pens);
    const std::vector<CompareGroup>& groups() const { return groups_; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// The numbers behind the whole table, or behind these rows: base units, spread beside mean.
    DataTable table(const QModelIndexList& rows = {}) const;

 private:
    std::vector<CompareGroup> groups_;
    std::vector<QPen> pens_;
};

}  // namespace concertina::gui
