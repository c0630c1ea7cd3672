// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/data_table.h"

#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QPushButton>
#include <QShortcut>
#include <QTableView>
#include <QVBoxLayout>
#include <map>

#include "gui/widgets/table_column.h"

namespace concertina::gui {
namespace {

bool isNumber(const QVariant& cell) {
    return cell.typeId() == QMetaType::Double || cell.typeId() == QMetaType::Int ||
           cell.typeId() == QMetaType::LongLong;
}

}  // namespace

DataTableModel::DataTableModel(DataTable table, QObject* parent)
    : QAbstractTableModel(parent), table_(std::move(table)) {}

int DataTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(table_.rows.size());
}

int DataTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(table_.columns.size());
}

QVariant DataTableModel::data(const QModelIndex& index, int role) const {
    const QVariant& cell = table_.rows[std::size_t(index.row())][std::size_t(index.column())];
    if (role == Qt::DisplayRole) {
        return cellText(cell);
    }
    if (role == Qt::TextAlignmentRole) {
        return cellAlignment(isNumber(cell));
    }
    return {};
}

QVariant DataTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal) {
        return {};
    }
    return table_.columns.value(section);
}

QString cellText(const QVariant& cell) {
    if (cell.typeId() == QMetaType::Double) {
        return QString::number(cell.toDouble(), 'g', QLocale::FloatingPointShortest);
    }
    return cell.toString();
}

QString toTsv(const DataTable& table) {
    QStringList lines{table.columns.join('\t')};
    for (const auto& row : table.rows) {
        QStringList cells;
        for (const QVariant& cell : row) {
            cells << cellText(cell);
        }
        lines << cells.join('\t');
    }
    return lines.join('\n') + '\n';
}

QString toCsv(const DataTable& table) {
    const auto quoted = [](const QString& cell) {
        const bool needed = cell.contains(',') || cell.contains('"') || cell.contains('\n');
        return needed ? '"' + QString(cell).replace('"', "\"\"") + '"' : cell;
    };
    QStringList cells;
    for (const QString& column : table.columns) {
        cells << quoted(column);
    }
    QString text = cells.join(',') + "\r\n";
    for (const auto& row : table.rows) {
        cells.clear();
        for (const QVariant& cell : row) {
            cells << quoted(cellText(cell));
        }
        text += cells.join(',') + "\r\n";
    }
    return text;
}

QString selectionTsv(const QItemSelectionModel& selection) {
    std::map<int, std::map<int, QString>> rows;
    for (const QModelIndex& index : selection.selectedIndexes()) {
        rows[index.row()][index.column()] = index.data().toString();
    }
    QString text;
    for (const auto& [row, cells] : rows) {
        QStringList line;
        for (const auto& [column, cell] : cells) {
            line << cell;
        }
        text += line.join('\t') + '\n';
    }
    return text;
}

void showDataTable(DataTable table, QWidget* parent) {
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(table.title);
    auto* view = new QTableView(dialog);
    auto* model = new DataTableModel(std::move(table), view);
    view->setModel(model);
    view->setAlternatingRowColors(true);
    view->verticalHeader()->hide();
    view->horizontalHeader()->setStretchLastSection(true);
    view->resizeColumnsToContents();

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QPushButton* copy = buttons->addButton("Copy all", QDialogButtonBox::ActionRole);
    QObject::connect(copy, &QPushButton::clicked, model,
                     [model] { QApplication::clipboard()->setText(toTsv(model->table())); });
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    auto* shortcut = new QShortcut(QKeySequence::Copy, view, nullptr, nullptr, Qt::WidgetShortcut);
    QObject::connect(shortcut, &QShortcut::activated, view, [view] {
        QApplication::clipboard()->setText(selectionTsv(*view->selectionModel()));
    });

    auto* layout = new QVBoxLayout(dialog);
    layout->addWidget(view);
    layout->addWidget(buttons);
    dialog->resize(720, 480);
    dialog->show();
}

}  // namespace concertina::gui
