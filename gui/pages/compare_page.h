// SPDX-License-Identifier: GPL-3.0-or-later
// ComparePage: the chosen runs overlaid, and their final values with differences to the first. The
// main window answers watchRequested with the runs' series, again whenever they change. GUI thread.
#pragma once
#include <QWidget>
#include <vector>

#include "gui/models/compare_model.h"

class QCheckBox;
class QComboBox;
class QStackedWidget;
class QTableView;

namespace concertina::gui {

class Band;
class MessageBar;
class TimePanel;
class TimePlot;

class ComparePage : public QWidget {
    Q_OBJECT
 public:
    explicit ComparePage(QWidget* parent = nullptr);
    void setRuns(const QStringList& runs);
    void setSeries(const RunSeriesList& series);
    void setDark(bool dark);
    const TimePlot& plot() const { return *plot_; }
    const CompareModel& model() const { return model_; }

 Q_SIGNALS:
    void watchRequested(const QStringList& runs);
    void openRequested(const QString& run);
    void runsRequested();

 private:
    QWidget* makeBar();
    QWidget* makeEmpty();
    QTableView* makeTable();
    void regroup();
    void draw();
    void drawBands(const std::vector<MeanCurve>& curves);
    void setXScale(const std::vector<MeanCurve>& curves);
    void copyTable() const;
    void openRow(int row);
    void makeBaseline(int row);
    void exportPlot();
    void writeExport(const QString& file);

    RunSeriesList series_;
    CompareModel model_;
    bool dark_ = false;
    MessageBar* message_;
    QStackedWidget* stack_;
    QComboBox *metric_, *axis_;
    QCheckBox *logX_, *bySeeds_;
    TimePlot* plot_;
    TimePanel* panel_;          // owned by plot_
    std::vector<Band*> bands_;  // owned by plot_; one a group
    QTableView* table_;
};

}  // namespace concertina::gui
