// SPDX-License-Identifier: GPL-3.0-or-later
// RunsPage: every run of the store as a table: filter, sort, and what can be done with the selected
// ones. GUI thread.
#pragma once
#include <QWidget>
#include <vector>

#include "core/store/records.h"

class QAction;
class QLabel;
class QLineEdit;
class QStackedWidget;
class QTableView;

namespace concertina::gui {

class RunsFilter;
class RunsModel;

class RunsPage : public QWidget {
    Q_OBJECT
 public:
    /// Shows `model`, which the main window owns and fills.
    explicit RunsPage(RunsModel* model, QWidget* parent = nullptr);
    QStringList selectedRuns() const;
    void setFilterText(const QString& text);

 Q_SIGNALS:
    void openRequested(const QString& run);
    void compareRequested(const QStringList& runs);
    void stopRequested(const QStringList& runs);
    void closeLostRequested(const QStringList& runs);
    void copyCommandRequested(const QString& run);
    void newRunRequested();
    void firstStudyRequested();

 private:
    QWidget* makeTop();
    QWidget* makeTable();
    QWidget* makeEmpty();
    void makeActions();
    void showCounts();
    void updateActions();
    std::vector<const RunRow*> selection() const;
    template <typename Condition>
    QStringList selectedIds(Condition condition) const;

    RunsModel* model_;
    RunsFilter* filter_;
    QLineEdit* search_;
    QLabel* counts_;
    QStackedWidget* stack_;
    QTableView* table_;
    QAction *open_, *compare_, *stop_, *copy_, *closeLost_;
};

}  // namespace concertina::gui
