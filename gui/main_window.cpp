// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/main_window.h"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QListWidget>
#include <QMenuBar>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "core/spec/run_spec.h"
#include "gui/about.h"
#include "gui/live/live_page.h"
#include "gui/models/background.h"
#include "gui/pages/compare_page.h"
#include "gui/pages/new_run_page.h"
#include "gui/pages/runs_page.h"
#include "gui/pages/start_page.h"
#include "gui/widgets/message_bar.h"
#include "gui/widgets/window_style.h"

namespace concertina::gui {
namespace {

struct PageName {
    const char* id;
    const char* title;
};
// In navigation order; makePages() fills the stack in the same one. Ctrl+1, Ctrl+2, ... show them.
constexpr PageName kPages[] = {{"start", "Start"},
                               {"runs", "Runs"},
                               {"new", "New run"},
                               {"live", "Live"},
                               {"compare", "Compare"}};

QStringList activeIds(const RunsModel& runs) {
    QStringList ids;
    for (int row = 0; row < runs.rowCount(); ++row) {
        if (isActive(runs.run(row).status)) {
            ids << QString::fromStdString(runs.run(row).id);
        }
    }
    return ids;
}

/// What a study file calls its study; empty when it cannot be read, which the launch reports.
QString studyNameOf(const std::filesystem::path& study) {
    try {
        return QString::fromStdString(readStudySpec(study).name);
    } catch (const std::exception&) {
        return {};
    }
}

}  // namespace

MainWindow::MainWindow(const WindowOptions& options, QWidget* parent)
    : QMainWindow(parent),
      options_(options),
      client_(options.store),
      launcher_(options.store, options.program),
      message_(new MessageBar(this)),
      navigation_(new QListWidget(this)),
      pages_(new QStackedWidget(this)) {
    setWindowTitle(QStringLiteral("Concertina"));
    makePages();
    makeMenus();
    connectStore();
    connectPages();
    connectLauncher();
    applyTheme(options.theme);
    restoreWindow();
    showPage(QLatin1String(kPages[0].id));
}

void MainWindow::makePages() {
    start_ = new StartPage(options_.firstStudy, this);
    runsPage_ = new RunsPage(&runs_, this);
    newRun_ = new NewRunPage(this);
    live_ = new LivePage(options_.store, this);
    compare_ = new ComparePage(this);
    navigation_->setObjectName(QStringLiteral("navigation"));
    navigation_->setFixedWidth(fontMetrics().horizontalAdvance('0') * 17);
    navigation_->setAccessibleName(QStringLiteral("Pages"));
    for (QWidget* page :
         std::initializer_list<QWidget*>{start_, runsPage_, newRun_, live_, compare_}) {
        const int index = pages_->addWidget(page);
        auto* item = new QListWidgetItem(QLatin1String(kPages[index].title), navigation_);
        item->setToolTip(QStringLiteral("Ctrl+%1").arg(index + 1));
    }
    connect(navigation_, &QListWidget::currentRowChanged, pages_, &QStackedWidget::setCurrentIndex);
    auto* right = new QVBoxLayout;
    right->setSpacing(0);
    right->addWidget(message_);
    right->addWidget(pages_, 1);
    auto* center = new QWidget(this);
    auto* layout = new QHBoxLayout(center);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(navigation_);
    layout->addLayout(right, 1);
    setCentralWidget(center);
}

QStringList MainWindow::pageIds() {
    QStringList ids;
    for (const PageName& page : kPages) {
        ids << QLatin1String(page.id);
    }
    return ids;
}

bool MainWindow::showPage(const QString& id) {
    const auto index = pageIds().indexOf(id);
    if (index >= 0) {
        navigation_->setCurrentRow(int(index));
        pages_->currentWidget()->setFocus();
    }
    return index >= 0;
}

void MainWindow::makeMenus() {
    QMenu* file = menuBar()->addMenu(QStringLiteral("&File"));
    file->addAction(QStringLiteral("&New run"), QKeySequence::New, this,
                    [this] { showPage(QStringLiteral("new")); });
    file->addSeparator();
    file->addAction(QStringLiteral("&Quit"), QKeySequence::Quit, this, &QWidget::close);
    QMenu* view = menuBar()->addMenu(QStringLiteral("&View"));
    for (int i = 0; i < int(std::size(kPages)); ++i) {
        view->addAction(QLatin1String(kPages[i].title),
                        QKeySequence(Qt::CTRL | Qt::Key(Qt::Key_1 + i)), this,
                        [this, i] { showPage(QLatin1String(kPages[i].id)); });
    }
    view->addSeparator();
    makeThemeMenu(view->addMenu(QStringLiteral("&Theme")));
    QMenu* help = menuBar()->addMenu(QStringLiteral("&Help"));
    help->addAction(QStringLiteral("&Keyboard and mouse"), QKeySequence::HelpContents, this,
                    [this] { showShortcuts(this); });
    help->addAction(QStringLiteral("&About Concertina"), this, [this] { showAbout(this); });
}

void MainWindow::makeThemeMenu(QMenu* menu) {
    auto* group = new QActionGroup(menu);
    const std::pair<const char*, Theme> themes[] = {
        {"System", Theme::System}, {"Light", Theme::Light}, {"Dark", Theme::Dark}};
    for (const auto& [title, theme] : themes) {
        QAction* action = menu->addAction(QLatin1String(title));
        action->setCheckable(true);
        action->setChecked(theme == options_.theme);
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, theme = theme] {
            QSettings().setValue(QStringLiteral("theme"), int(theme));
            applyTheme(theme);
        });
    }
}

void MainWindow::applyTheme(Theme theme) {
    const bool dark = isDark(theme);
    gui::applyTheme(*qApp, dark);
    // A style sheet keeps the fonts that widgets had before; the window's own reaches them all.
    setFont(QApplication::font());
    setStyleSheet(windowStyleSheet(plotPalette(dark)));
    live_->setDark(dark);
    compare_->setDark(dark);
}

void MainWindow::restoreWindow() {
    resize(1360, 860);
    restoreGeometry(QSettings().value(QStringLiteral("geometry")).toByteArray());
}

void MainWindow::connectStore() {
    connect(&client_, &StoreClient::runsChanged, this, &MainWindow::showRuns);
    connect(&client_, &StoreClient::seriesChanged, compare_, &ComparePage::setSeries);
    connect(&client_, &StoreClient::actionFailed, message_, &MessageBar::showError);
    connect(&client_, &StoreClient::problemChanged, this, [this](const QString& sentence) {
        sentence.isEmpty() ? message_->clear() : message_->showError(sentence);
    });
    connect(compare_, &ComparePage::watchRequested, &client_, &StoreClient::watchSeries);
}

void MainWindow::showRuns(const RunList& runs) {
    runs_.setRuns(runs);
    start_->setRuns(runs);
    follower_.setRuns(runs);
    const int active = runs_.countActive();
    navigation_->item(1)->setText(active > 0 ? QStringLiteral("Runs  (%1)").arg(active)
                                             : QStringLiteral("Runs"));
    navigation_->item(1)->setToolTip(active > 0 ? QStringLiteral("%1 active. Ctrl+2").arg(active)
                                                : QStringLiteral("Ctrl+2"));
}

void MainWindow::connectPages() {
    connect(start_, &StartPage::studyRequested, this, &MainWindow::startStudy);
    connect(start_, &StartPage::openRequested, this, &MainWindow::openRun);
    connect(start_, &StartPage::compareRequested, this, &MainWindow::compareRuns);
    connect(start_, &StartPage::newRunRequested, this, [this] { showPage(QStringLiteral("new")); });
    connect(start_, &StartPage::runsRequested, this, [this] { showPage(QStringLiteral("runs")); });
    connect(runsPage_, &RunsPage::openRequested, this, &MainWindow::openRun);
    connect(runsPage_, &RunsPage::compareRequested, this, &MainWindow::compareRuns);
    connect(runsPage_, &RunsPage::stopRequested, &client_, &StoreClient::stopRuns);
    connect(runsPage_, &RunsPage::closeLostRequested, &client_, &StoreClient::closeLost);
    connect(runsPage_, &RunsPage::copyCommandRequested, this, &MainWindow::copyCommand);
    connect(runsPage_, &RunsPage::newRunRequested, this,
            [this] { showPage(QStringLiteral("new")); });
    connect(runsPage_, &RunsPage::firstStudyRequested, this, [this] {
        showPage(QStringLiteral("start"));
        startStudy(options_.firstStudy);
    });
    connect(newRun_, &NewRunPage::launchRequested, &launcher_, &Launcher::launchRun);
    connect(live_, &LivePage::stopRequested, this,
            [this](const QString& run) { client_.stopRuns({run}); });
    connect(compare_, &ComparePage::openRequested, this, &MainWindow::openRun);
    connect(compare_, &ComparePage::runsRequested, this,
            [this] { showPage(QStringLiteral("runs")); });
}

void MainWindow::connectLauncher() {
    connect(&launcher_, &Launcher::started, this,
            [this](const QString& launch) { launchEnded(launch, {}); });
    connect(&launcher_, &Launcher::failed, this, &MainWindow::launchEnded);
    connect(&follower_, &StudyFollower::runChanged, this, [this](const QString& run) {
        live_->showRun(run);
        showPage(QStringLiteral("live"));
    });
}

/// Tells the page that asked. A study's file has a folder in its name, a run's id has none.
void MainWindow::launchEnded(const QString& launch, const QString& problem) {
    const bool isStudy = launch.contains('/');
    if (!problem.isEmpty()) {
        isStudy ? start_->showLaunchFailure(problem) : newRun_->showLaunchFailure(problem);
    } else if (isStudy) {
        start_->launchStarted();
        follower_.launchStarted();
    } else {
        newRun_->launchStarted();
        openRun(launch);
    }
}

void MainWindow::startStudy(const std::filesystem::path& study) {
    launcher_.launchStudy(study);
    runInBackground(
        this, [study] { return studyNameOf(study); },
        [this](const QString& name) { follower_.follow(name); });
}

void MainWindow::openRun(const QString& run) {
    follower_.stop();
    live_->showRun(run);
    showPage(QStringLiteral("live"));
}

void MainWindow::compareRuns(const QStringList& runs) {
    compare_->setRuns(runs);
    showPage(QStringLiteral("compare"));
}

void MainWindow::copyCommand(const QString& run) {
    const RunRow* row = runs_.find(run);
    if (row == nullptr) {
        return;
    }
    try {
        QApplication::clipboard()->setText(launcher_.runCommand(runSpecFromJson(row->specJson)));
        message_->showNotice(QStringLiteral("Copied: paste it into a shell to run “%1” again.")
                                 .arg(QString::fromStdString(row->name)));
    } catch (const std::exception& error) {
        // A spec of a newer or older program.
        message_->showError(QString::fromStdString(error.what()));
    }
}

void MainWindow::closeEvent(QCloseEvent* event) {
    const QStringList active = activeIds(runs_);
    if (!active.isEmpty()) {
        QMessageBox question(QMessageBox::Question, QStringLiteral("Concertina"),
                             active.size() == 1
                                 ? QStringLiteral("One run is still training.")
                                 : QStringLiteral("%1 runs are still training.").arg(active.size()),
                             QMessageBox::NoButton, this);
        question.setInformativeText(
            QStringLiteral("They can go on without this window; the next start shows them again."));
        QPushButton* keep =
            question.addButton(QStringLiteral("Keep training"), QMessageBox::AcceptRole);
        QPushButton* stop =
            question.addButton(QStringLiteral("Stop all"), QMessageBox::DestructiveRole);
        question.addButton(QMessageBox::Cancel);
        question.setDefaultButton(keep);
        question.exec();
        if (question.clickedButton() == stop) {
            client_.stopRuns(active);
        } else if (question.clickedButton() != keep) {
            event->ignore();
            return;
        }
    }
    QSettings().setValue(QStringLiteral("geometry"), saveGeometry());
    event->accept();
}

}  // namespace concertina::gui
