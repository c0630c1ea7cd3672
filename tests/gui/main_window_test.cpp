// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window without a display: on stores with generated runs, and with a real run launched
// from the form, watched and stopped.
#include "gui/main_window.h"

#include <gmock/gmock.h>

#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTest>

#include "core/store/reader.h"
#include "gui/live/live_page.h"
#include "gui/pages/compare_page.h"
#include "gui/pages/runs_page.h"
#include "gui/plots/time_plot.h"
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

TEST(MainWindow, ARealRunIsLaunchedWatchedAndStopped) {
    const StoreFolder folder;
    MainWindow window(optionsFor(folder));
    window.show();
    window.showPage("new");
    auto* form = window.findChild<QWidget*>("specForm");
    const auto type = [&](const char* name, const char* text) {
        form->findChild<QLineEdit*>(name)->setText(text);
    };
    type("epochs", "100000");
    type("train_samples", "512");
    type("test_samples", "256");
    window.findChild<QPushButton*>("launch")->click();
    const auto* live = window.findChild<LivePage*>();
    ASSERT_TRUE(comesTrue([&] { return !live->shownRun().isEmpty(); })) << "not started";
    const std::string id = live->shownRun().toStdString();
    RunReader reader(folder.file());
    ASSERT_TRUE(comesTrue([&] {
        const auto run = reader.run(id);
        return run->epochsDone >= 2 || !isActive(run->status);
    }));
    ASSERT_GE(reader.run(id)->epochsDone, 2) << reader.run(id)->reason;
    const auto* plot = live->findChild<TimePlot*>();
    ASSERT_TRUE(comesTrue([&] {
        const auto& curves = plot->panels().front()->curves();
        return !curves.empty() && curves.front().x.size() >= 2;
    })) << "the plots stay empty";
    auto* runs = window.findChild<RunsPage*>();
    runs->findChild<QTableView*>()->selectAll();
    Q_EMIT runs->stopRequested(runs->selectedRuns());
    ASSERT_TRUE(comesTrue([&] { return !isActive(reader.run(id)->status); })) << "does not stop";
    EXPECT_EQ(reader.run(id)->status, RunStatus::Stopped) << reader.run(id)->reason;
}

}  // namespace
}  // namespace concertina::gui
