// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers behind a plot: a plain table, its item model, its tab-separated text, and the window
// that shows it. Non-finite values are written by name. GUI thread.
#pragma once
#include <QAbstractTableModel>
#include <QString>
#include <QStringList>
#include <QVariant>
#include <vector>

class QItemSelectionModel;
class QWidget;

namespace concertina::gui {

struct DataTable {
    QString title;
    QStringList columns;                      // with unit, "sent [bytes]"
    std::vector<std::vector<QVariant>> rows;  // double, int or QString; invalid: not recorded
};

class DataTableModel : public QAbstractTableModel {
    Q_OBJECT
 public:
    explicit DataTableModel(DataTable table, QObject* parent = nullptr);
    const DataTable& table() const { return table_; }
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
    DataTable table_;
};

/// A cell in the shortest form that reads back equal.
QString cellText(const QVariant& cell);
/// Header and rows, tab-separated, a line each.
QString toTsv(const DataTable& table);
/// The same as RFC 4180 asks: commas, and quotes where a cell needs them.
QString toCsv(const DataTable& table);
/// The selected cells only, as a rectangle; without a header.
QString selectionTsv(const QItemSelectionModel& selection);

/// Opens a window of its own with the table; Ctrl+C copies the selection, a button copies
/// everything.
void showDataTable(DataTable table, QWidget* parent);

}  // namespace concertina::gui
