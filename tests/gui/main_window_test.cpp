// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window without a display: on stores with generated runs, and with a real run launched
// from the form, watched and stopped.
#include "gui/main_window.h"

#include <gmock/gmock.h>

#include <QAction>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <optional>

#include "core/store/reader.h"
#include "gui/live/live_page.h"
#include "gui/pages/compare_page.h"
#include "gui/pages/runs_page.h"
#include "gui/plots/time_plot.h"
#include "tests/gui/dialogs.h"
#include "tests/support/generated_run.h"
#include "tests/support/store_folder.h"

namespace concertina::gui {
namespace {

constexpr int kPatienceMs = 60000;

WindowOptions optionsFor(const StoreFolder& folder) {
    return {
        folder.file(), std::filesystem::path(CONCERTINA_BIN_DIR) / "concertina", {}, Theme::Light};
}

template <typename Condition>
bool comesTrue(Condition condition) {
    return QTest::qWaitFor(condition, kPatienceMs);
}

TEST(MainWindow, OpensOnAStoreThatIsNotThereYet) {
    const StoreFolder folder;
    MainWindow window(optionsFor(folder));
    window.show();
    for (const QString& page : MainWindow::pageIds()) {
        EXPECT_TRUE(window.showPage(page)) << page.toStdString();
    }
    EXPECT_FALSE(window.showPage("nowhere"));
    QTest::qWait(400);  // a poll of the store
    EXPECT_FALSE(std::filesystem::exists(folder.file())) << "looking must not create a store";
}

TEST(MainWindow, ShowsRunsThatOthersWrite) {
    const StoreFolder folder;
    RunWriter writer(folder.file());
    MainWindow window(optionsFor(folder));
    window.show();
    writeGeneratedRun(writer);
    EXPECT_TRUE(comesTrue([&] {
        return window.runs().rowCount() == 1 && window.runs().run(0).status == RunStatus::Done;
    }));
}

TEST(MainWindow, ComparesTheSelectedRuns) {
    const StoreFolder folder;
    RunWriter writer(folder.file());
    for (const std::uint64_t seed : {1, 2, 3}) {
        GeneratedRunOptions options;
        options.id = "run" + std::to_string(seed);
        options.seed = seed;
        options.layers = 6;
        writeGeneratedRun(writer, options);
    }
    MainWindow window(optionsFor(folder));
    window.show();
    ASSERT_TRUE(comesTrue([&] { return window.runs().rowCount() == 3; }));
    auto* runs = window.findChild<RunsPage*>();
    runs->findChild<QTableView*>()->selectAll();
    EXPECT_EQ(runs->selectedRuns().size(), 3);
    window.compareRuns(runs->selectedRuns());
    const auto* compare = window.findChild<ComparePage*>();
    ASSERT_TRUE(comesTrue([&] { return compare->model().rowCount() > 0; }));
    for (const Curve& curve : compare->plot().panels().front()->curves()) {
        EXPECT_GT(curve.x.size(), 10U) << curve.name.toStdString();
    }
}

TEST(MainWindow, ALostRunIsFoundAndCanBeClosed) {
    const StoreFolder folder;
    RunWriter writer(folder.file());
    const std::string id = writeGeneratedRun(writer, {}, 5);
    ProcessIdentity dead = thisProcess();
    dead.bootId = "another boot";
    writer.setSupervisor(id, dead);
    MainWindow window(optionsFor(folder));
    window.show();
    const auto hasStatus = [&](RunStatus status) {
        return comesTrue(
            [&] { return window.runs().rowCount() == 1 && window.runs().run(0).status == status; });
    };
    ASSERT_TRUE(hasStatus(RunStatus::Lost));
    auto* runs = window.findChild<RunsPage*>();
    runs->findChild<QTableView*>()->selectAll();
    Q_EMIT runs->closeLostRequested(runs->selectedRuns());
    EXPECT_TRUE(hasStatus(RunStatus::Failed));
}

/// A window on a store with one run that this process is said to train.
class ClosingWindow : public testing::Test {
 protected:
    ClosingWindow() : writer_(folder_.file()), id_(writeGeneratedRun(writer_, {}, 5)) {
        window_.emplace(optionsFor(folder_));
        window_->show();
    }
    bool knowsTheRun() {
        return comesTrue([&] { return window_->runs().countActive() == 1; });
    }
    /// What the run was asked to do once the window is gone.
    std::vector<std::string> askedOfTheRun() {
        window_.reset();
        return writer_.takeControl(id_);
    }

    StoreFolder folder_;
    RunWriter writer_;
    std::string id_;
    std::optional<MainWindow> window_;
};

TEST_F(ClosingWindow, KeepsTrainingIfToldSo) {
    ASSERT_TRUE(knowsTheRun());
    answerNextQuestion(&*window_, "Keep training");
    EXPECT_TRUE(window_->close());
    EXPECT_THAT(askedOfTheRun(), testing::IsEmpty());
}

TEST_F(ClosingWindow, StopsAllIfToldSo) {
    ASSERT_TRUE(knowsTheRun());
    answerNextQuestion(&*window_, "Stop all");
    EXPECT_TRUE(window_->close());
    EXPECT_THAT(askedOfTheRun(), testing::ElementsAre("stop"));
}

TEST_F(ClosingWindow, StaysOpenOnCancelAndEscape) {
    ASSERT_TRUE(knowsTheRun());
    for (const char* answer : {"Cancel", ""}) {
        answerNextQuestion(&*window_, answer);
        EXPECT_FALSE(window_->close()) << answer;
        EXPECT_TRUE(window_->isVisible()) << answer;
    }
    EXPECT_THAT(askedOfTheRun(), testing::IsEmpty());
}

TEST_F(ClosingWindow, AsksNothingWhenNothingTrains) {
    writer_.setStatus(id_, RunStatus::Done);
    ASSERT_TRUE(comesTrue(
        [&] { return window_->runs().rowCount() == 1 && window_->runs().countActive() == 0; }));
    EXPECT_TRUE(window_->close());  // a question would wait for ever
}

void launchSmallRun(MainWindow& window) {
    window.showPage("new");
    auto* form = window.findChild<QWidget*>("specForm");
    const std::pair<const char*, const char*> fields[] = {
        {"epochs", "100000"}, {"train_samples", "512"}, {"test_samples", "256"}};
    for (const auto& [name, text] : fields) {
        form->findChild<QLineEdit*>(name)->setText(text);
    }
    window.findChild<QPushButton*>("launch")->click();
}

void stopSelectedRuns(MainWindow& window) {
    auto* runs = window.findChild<RunsPage*>();
    runs->findChild<QTableView*>()->selectAll();
    for (QAction* action : runs->actions()) {
        if (action->text() == "Stop") {
            EXPECT_TRUE(action->isEnabled());
            action->trigger();
        }
    }
}

TEST(MainWindow, ARealRunIsLaunchedWatchedOutlivesTheWindowAndIsStopped) {
    const StoreFolder folder;
    std::optional<MainWindow> window(std::in_place, optionsFor(folder));
    window->show();
    launchSmallRun(*window);
    const auto* live = window->findChild<LivePage*>();
    ASSERT_TRUE(comesTrue([&] { return !live->shownRun().isEmpty(); })) << "not started";
    const std::string id = live->shownRun().toStdString();
    RunReader reader(folder.file());
    const auto trains = [&](int epochs) {
        return comesTrue([&] {
                   const auto run = reader.run(id);
                   return run->epochsDone >= epochs || !isActive(run->status);
               }) &&
               isActive(reader.run(id)->status);
    };
    ASSERT_TRUE(trains(2)) << reader.run(id)->reason;
    const auto* plot = live->findChild<TimePlot*>();
    ASSERT_TRUE(comesTrue([&] {
        const auto& curves = plot->panels().front()->curves();
        return !curves.empty() && curves.front().x.size() >= 2;
    })) << "the plots stay empty";

    window.reset();
    ASSERT_TRUE(trains(reader.run(id)->epochsDone + 2)) << "ended with its window";
    window.emplace(optionsFor(folder));
    window->show();
    ASSERT_TRUE(comesTrue([&] { return window->runs().countActive() == 1; })) << "not found again";

    stopSelectedRuns(*window);
    ASSERT_TRUE(comesTrue([&] { return !isActive(reader.run(id)->status); })) << "does not stop";
    EXPECT_EQ(reader.run(id)->status, RunStatus::Stopped) << reader.run(id)->reason;
}

}  // namespace
}  // namespace concertina::gui
