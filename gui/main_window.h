// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow: navigation on the left, pages on the right, and the wiring between pages, store and
// launcher. A page is added by one row in makePages(). GUI thread.
#pragma once
#include <QMainWindow>
#include <filesystem>
#include <vector>

#include "gui/launch/launcher.h"
#include "gui/launch/study_follower.h"
#include "gui/models/runs_model.h"
#include "gui/models/store_client.h"
#include "gui/widgets/palette.h"

class QActionGroup;
class QListWidget;
class QStackedWidget;

namespace concertina::gui {

class ComparePage;
class LivePage;
class MessageBar;
class NewRunPage;
class RunsPage;
class StartPage;

struct WindowOptions {
    std::filesystem::path store;
    std::filesystem::path program;     // the command line executable that runs are started with
    std::filesystem::path firstStudy;  // what the Start page runs; may be empty
    Theme theme = Theme::System;
};

class MainWindow : public QMainWindow {
    Q_OBJECT
 public:
    explicit MainWindow(const WindowOptions& options, QWidget* parent = nullptr);

    /// "start", "runs", "new", "live" or "compare"; false for anything else.
    bool showPage(const QString& id);
    static QStringList pageIds();
    /// Launches (or attaches to) the study and shows its running run on the Live page, then the
    /// next.
    void startStudy(const std::filesystem::path& study);
    void openRun(const QString& run);
    void compareRuns(const QStringList& runs);
    RunsModel& runs() { return runs_; }

 protected:
    void closeEvent(QCloseEvent* event) override;

 private:
    void makePages();
    void makeMenus();
    void makeThemeMenu(QMenu* menu);
    void connectStore();
    void connectPages();
    void connectLauncher();
    void showRuns(const RunList& runs);
    void applyTheme(Theme theme);
    void copyCommand(const QString& run);
    void launchEnded(const QString& launch, const QString& problem);
    void restoreWindow();

    WindowOptions options_;
    RunsModel runs_;
    StoreClient client_;
    Launcher launcher_;
    StudyFollower follower_;
    MessageBar* message_;
    QListWidget* navigation_;
    QStackedWidget* pages_;
    StartPage* start_;
    RunsPage* runsPage_;
    NewRunPage* newRun_;
    LivePage* live_;
    ComparePage* compare_;
};

}  // namespace concertina::gui
