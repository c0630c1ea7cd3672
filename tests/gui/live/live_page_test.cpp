// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/live/live_page.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QLabel>
#include <QPushButton>
#include <functional>

#include "core/store/writer.h"
#include "gui/live/level_map.h"
#include "gui/live/live_plot.h"
#include "tests/gui/dialogs.h"
#include "tests/support/generated_run.h"
#include "tests/support/store_folder.h"

namespace concertina::gui {
namespace {

/// Runs the event loop until it holds; false after a time that only a failure takes.
bool eventually(const std::function<bool()>& condition) {
    QElapsedTimer clock;
    clock.start();
    while (!condition() && clock.elapsed() < 60'000) {
        QApplication::processEvents(QEventLoop::AllEvents, 20);
    }
    return condition();
}

class LivePageTest : public testing::Test {
 protected:
    LivePageTest() : page_(folder_.file()) {
        page_.resize(1200, 900);
        page_.show();
    }
    bool says(const QString& text) const {
        const auto labels = page_.findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) {
            return label->isVisible() && label->text().contains(text);
        });
    }
    int shownEpochs() const {
        const auto& curves = page_.plot().panels()[1]->curves();
        return curves.empty() ? 0 : int(curves.front().x.size());
    }
    std::string write(GeneratedRunOptions options, int epochs = -1) {
        RunWriter writer(folder_.file());
        return writeGeneratedRun(writer, options, epochs);
    }
    void key(int code) {
        QKeyEvent event(QEvent::KeyPress, code, Qt::NoModifier);
        QApplication::sendEvent(&page_.plot(), &event);
    }
    void clickRow(int row) {
        const TimePanel& panel = page_.plot().mapPanel();
        const QPointF at(panel.rect()->center().x(), panel.y()->coordToPixel(row));
        for (const auto type : {QEvent::MouseButtonPress, QEvent::MouseButtonRelease}) {
            QMouseEvent event(type, at, page_.plot().mapToGlobal(at), Qt::LeftButton,
                              Qt::LeftButton, {});
            QApplication::sendEvent(&page_.plot(), &event);
        }
    }

    StoreFolder folder_;
    LivePage page_;
};

TEST_F(LivePageTest, SaysWhatToDoWithoutARun) {
    EXPECT_TRUE(says("No run is shown"));
    page_.showRun("missing");
    EXPECT_TRUE(eventually([this] { return says("missing") || says("store"); }));
}

TEST_F(LivePageTest, ExportsItsPlotsAndSaysHowThatWent) {
    GeneratedRunOptions options;
    options.name = "a/b";
    page_.showRun(QString::fromStdString(write(options)));
    ASSERT_TRUE(eventually([this] { return shownEpochs() > 0; }));
    auto* exporting = page_.findChild<QAction*>("export");
    const QString good = QString::fromStdString(folder_.path() / "plots");
    exporting->trigger();
    ASSERT_TRUE(chooseFile(good));
    EXPECT_TRUE(eventually([&] { return says("Exported " + good + ".svg."); }));
    EXPECT_TRUE(std::filesystem::exists(folder_.path() / "plots.svg"));
    exporting->trigger();
    ASSERT_TRUE(chooseFile(QString::fromStdString(folder_.path() / "absent" / "plots.svg")));
    EXPECT_TRUE(eventually([&] { return says("Cannot write "); }));
}

TEST_F(LivePageTest, ShowsSixtyLayersThatGrowWhileTheyTrain) {
    GeneratedRunOptions options;
    options.id = "growing";
    GeneratedRun run(options);
    RunWriter writer(folder_.file());
    writer.createRun(run.row());
    writer.setStatus("growing", RunStatus::Running);
    writer.addPoints("growing", run.beginning());
    page_.showRun("growing");
    EXPECT_TRUE(eventually([this] { return says("Waiting for the first epoch"); }));
    for (int epoch = 0; epoch < 6; ++epoch) {
        writer.addPoints("growing", run.epoch(epoch));
    }
    ASSERT_TRUE(eventually([this] { return shownEpochs() == 6; }));
    // 40 matrices, the head, and the folded row of the 19 vectors.
    EXPECT_EQ(page_.plot().map().rows().size(), 42u);
    writer.addPoints("growing", run.epoch(6));
    EXPECT_TRUE(eventually([this] { return shownEpochs() == 7; }));
}

TEST_F(LivePageTest, RowsAreSelectedByClickAndArrowsAndExplained) {
    GeneratedRunOptions options;
    options.layers = 9;
    page_.showRun(QString::fromStdString(write(options)));
    ASSERT_TRUE(eventually([this] { return shownEpochs() == 40; }));
    LivePlot& plot = page_.plot();
    plot.replot(QCustomPlot::rpQueuedRefresh);
    clickRow(1);
    EXPECT_EQ(plot.selectedLayer(), 1);
    key(Qt::Key_Down);
    EXPECT_EQ(plot.selectedLayer(), 3);
    plot.setCursorEpoch(6);
    EXPECT_TRUE(says(QString::fromStdString("block2.conv1.weight, epochs")));
    clickRow(2);
    EXPECT_EQ(plot.selectedLayer(), std::nullopt);
    const std::size_t folded = plot.map().rows().size();
    clickRow(int(folded) - 1);
    EXPECT_GT(plot.map().rows().size(), folded);
    key(Qt::Key_Up);
    EXPECT_TRUE(plot.selectedLayer().has_value());
    key(Qt::Key_Escape);
    EXPECT_FALSE(plot.selectedLayer().has_value());
}

TEST_F(LivePageTest, NamesThinOutButStayAtTheirRows) {
    page_.showRun(QString::fromStdString(write({})));
    ASSERT_TRUE(eventually([this] { return shownEpochs() == 40; }));
    LivePlot& plot = page_.plot();
    plot.selectLayer(10);
    // Twice, as every redraw asks again.
    plot.replot(QCustomPlot::rpQueuedRefresh);
    plot.replot(QCustomPlot::rpQueuedRefresh);
    const QCPAxis* axis = plot.mapPanel().y();
    const QVector<double> rows = axis->tickVector();
    const QVector<QString> names = axis->tickVectorLabels();
    ASSERT_EQ(rows.size(), names.size());
    EXPECT_LT(rows.size(), 42);
    EXPECT_TRUE(names.contains("block4.conv2"));  // layer 10, selected
    EXPECT_TRUE(names.contains(QString::fromUtf8("▸ 19 small")));
    for (int i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(names[i], plot.map().rows()[std::size_t(rows[i])].name);
    }
}

TEST_F(LivePageTest, OneRankShowsPayloadAndSaysSo) {
    GeneratedRunOptions options;
    options.layers = 6;
    options.epochs = 1;
    options.ranks = 1;
    page_.showRun(QString::fromStdString(write(options)));
    ASSERT_TRUE(eventually([this] { return shownEpochs() == 1; }));
    EXPECT_TRUE(says("Payload bytes"));
    EXPECT_TRUE(page_.plot().panels()[1]->header().title().contains("payload"));
}

TEST_F(LivePageTest, AnotherRunReplacesTheFirstAndOnlyRunningOnesCanBeStopped) {
    GeneratedRunOptions options;
    options.layers = 6;
    options.epochs = 3;
    const QString done = QString::fromStdString(write(options));
    options.id = "unfinished";
    write(options, 2);
    page_.showRun(done);
    page_.showRun("unfinished");
    ASSERT_TRUE(eventually([this] { return shownEpochs() == 2; }));
    QString stopped;
    QObject::connect(&page_, &LivePage::stopRequested, [&](const QString& id) { stopped = id; });
    const auto button = [this] {
        const auto buttons = page_.findChildren<QPushButton*>();
        return *std::find_if(buttons.begin(), buttons.end(),
                             [](auto* one) { return one->text() == "Stop"; });
    };
    ASSERT_TRUE(eventually([&] { return button()->isVisible(); }));
    button()->click();
    EXPECT_EQ(stopped, "unfinished");
    page_.showRun(done);
    ASSERT_TRUE(eventually([this] { return shownEpochs() == 3; }));
    EXPECT_FALSE(button()->isVisible());
}

TEST_F(LivePageTest, DrawsThreeHundredEpochsWithNonFiniteNormsInBothThemes) {
    GeneratedRunOptions options;
    options.epochs = 300;
    options.stepsPerEpoch = 2;
    page_.showRun(QString::fromStdString(write(options)));
    ASSERT_TRUE(eventually([this] { return shownEpochs() == 300; }));
    page_.setDark(true);
    const QImage dark = page_.plot().toPixmap(900, 700).toImage();
    page_.setDark(false);
    const QImage light = page_.plot().toPixmap(900, 700).toImage();
    EXPECT_EQ(dark.pixelColor(2, 2), QColor(0x1B1E23));
    EXPECT_EQ(light.pixelColor(2, 2), QColor(Qt::white));
    std::size_t runs = 0, crosses = 0;
    for (const MapRow& row : page_.plot().map().rows()) {
        runs += row.runs.size();
        crosses += row.nonFinite.size();
    }
    EXPECT_LT(runs, 1500u);  // not 18,000 cells
    EXPECT_EQ(crosses, 2u);
}

}  // namespace
}  // namespace concertina::gui
