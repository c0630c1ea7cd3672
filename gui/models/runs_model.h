// SPDX-License-Identifier: GPL-3.0-or-later
// RunsModel: the store's runs as a table. The Runs page shows it through RunsFilter. setRuns
// compares with what is shown and signals only rows that changed, so a live run does not disturb
// selection, scroll or sort. GUI thread.
#pragma once
#include <QAbstractTableModel>
#include <memory>
#include <span>
#include <vector>

#include "core/store/records.h"

namespace concertina::gui {

using RunList =
    std::shared_ptr<const std::vector<RunRow>>;  // shared by the worker's answer and the models

/// One column: how a run is written in it and by what it is sorted. Adding a column is one row in
/// runColumns().
struct RunColumn {
    const char* title;
    const char* tip;
    bool numeric;  // right-aligned, sorted by `number`; else sorted by `text`
    QString (*text)(const RunRow& run);
    double (*number)(const RunRow& run);  // NaN where the run has no value: sorts last either way
};
std::span<const RunColumn> runColumns();
/// Columns that delegates paint in their own way.
inline constexpr int kStatusColumn = 0, kNameColumn = 1, kProgressColumn = 6;

class RunsModel : public QAbstractTableModel {
    Q_OBJECT
 public:
    using QAbstractTableModel::QAbstractTableModel;
    void setRuns(const RunList& runs);
    const RunRow& run(int row) const { return (*runs_)[static_cast<std::size_t>(row)]; }
    /// nullptr when the store has no such run.
    const RunRow* find(const QString& id) const;
    int countActive() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
    void emitChanges(const RunList& before);

    RunList runs_ = std::make_shared<std::vector<RunRow>>();
};

/// "running", "done", ... with its first letter upper-case, and one sentence of what it means.
QString statusTitle(RunStatus status);
QString statusMeaning(RunStatus status);

}  // namespace concertina::gui
