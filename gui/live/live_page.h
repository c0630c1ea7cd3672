// SPDX-License-Identifier: GPL-3.0-or-later
// LivePage: one run while it trains, or after: tiles, the stacked plots, and the sentence for the
// cursor. Reads the store through a RunFeed only. The main window shows it, tells it which run, and
// answers stopRequested. GUI thread.
#pragma once
#include <QTimer>
#include <QWidget>
#include <filesystem>

#include "gui/live/run_feed.h"
#include "gui/live/run_view.h"

class QCheckBox;
class QLabel;
class QMenu;
class QPushButton;
class QScrollArea;

namespace concertina::gui {

class LivePlot;
class MessageBar;
class TileRow;

class LivePage : public QWidget {
    Q_OBJECT
 public:
    explicit LivePage(const std::filesystem::path& store, QWidget* parent = nullptr);
    ~LivePage() override;
    /// Shows this run from now on; empty: none.
    void showRun(const QString& runId);
    void setDark(bool dark);
    QString shownRun() const { return runId_; }
    LivePlot& plot() const { return *plot_; }

 Q_SIGNALS:
    void stopRequested(QString runId);

 private:
    void take(const RunUpdate& update);
    void repaintPage();
    void updateSentence();
    QWidget* makeHead();
    void fillMenu(QMenu& menu);
    void exportPlot();
    void showMessage(const QString& text);

    RunFeed feed_;
    RunView view_;
    QString runId_;
    bool dirty_ = false;
    QTimer repaintTimer_;
    QLabel *name_, *details_, *message_, *sentence_;
    MessageBar* exported_;  // how an export went
    QPushButton* stop_;
    QCheckBox *cumulative_, *follow_;
    TileRow* tiles_;
    LivePlot* plot_;
    QScrollArea* scroll_;
    QWidget* body_;
};

}  // namespace concertina::gui
