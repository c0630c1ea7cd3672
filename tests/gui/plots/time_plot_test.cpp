// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/plots/time_plot.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <cmath>
#include <limits>

namespace concertina::gui {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

class TimePlotTest : public testing::Test {
 protected:
    TimePlotTest()
        : upper_(plot_.addPanel({"Upper", "?", "loss"})),
          lower_(plot_.addPanel({"Lower", "?", "norm"})) {
        plot_.setXAxis("epoch", {});
        plot_.resize(600, 400);
        plot_.setXFitRange({0, 10});
        plot_.replot(QCustomPlot::rpQueuedRefresh);
    }
    void wheel(TimePanel& panel, double atX, int delta, Qt::KeyboardModifiers keys = {}) {
        const QPointF at(panel.x()->coordToPixel(atX), panel.rect()->center().y());
        QWheelEvent event(at, plot_.mapToGlobal(at), {}, {0, delta}, {}, keys, Qt::NoScrollPhase,
                          false);
        QApplication::sendEvent(&plot_, &event);
    }
    void mouse(QEvent::Type type, const QPointF& at, Qt::MouseButtons held) {
        const auto button = type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton;
        QMouseEvent event(type, at, plot_.mapToGlobal(at), button, held, {});
        QApplication::sendEvent(&plot_, &event);
    }

    TimePlot plot_;
    TimePanel &upper_, &lower_;
};

TEST_F(TimePlotTest, WheelZoomsAllPanelsAtTheCursorAndEndsFollowing) {
    wheel(lower_, 2, 120);
    EXPECT_NEAR(upper_.x()->range().size(), 8.5, 0.05);
    EXPECT_EQ(upper_.x()->range(), lower_.x()->range());
    EXPECT_NEAR((2 - upper_.x()->range().lower) / upper_.x()->range().size(), 0.2, 0.01);
    EXPECT_FALSE(plot_.isFollowing());
    plot_.setXFitRange({0, 20});
    EXPECT_LT(upper_.x()->range().upper, 10);
}

TEST_F(TimePlotTest, ShiftWheelZoomsOnlyTheValueAxisUnderTheCursor) {
    const QCPRange before = upper_.y()->range();
    wheel(lower_, 5, 120, Qt::ShiftModifier);
    EXPECT_NEAR(lower_.y()->range().size(), 0.85, 1e-9);
    EXPECT_EQ(upper_.y()->range(), before);
    EXPECT_TRUE(plot_.isFollowing());
    EXPECT_FALSE(lower_.isYFitted());
}

TEST_F(TimePlotTest, DragPansAndDoubleClickFitsAgain) {
    const QPointF from = upper_.rect()->center();
    mouse(QEvent::MouseButtonPress, from, Qt::LeftButton);
    mouse(QEvent::MouseMove, from + QPointF(60, 0), Qt::LeftButton);
    mouse(QEvent::MouseButtonRelease, from + QPointF(60, 0), {});
    EXPECT_LT(lower_.x()->range().lower, -0.5);
    EXPECT_FALSE(plot_.isFollowing());
    mouse(QEvent::MouseButtonDblClick, from, Qt::LeftButton);
    EXPECT_EQ(lower_.x()->range(), QCPRange(0, 10));
    EXPECT_TRUE(plot_.isFollowing());
}

TEST_F(TimePlotTest, FollowingKeepsToTheGrowingRange) {
    plot_.setXFitRange({0, 30});
    EXPECT_EQ(lower_.x()->range(), QCPRange(0, 30));
}

TEST_F(TimePlotTest, NonFiniteValuesAndZerosNeverDecideALogRange) {
    upper_.setScale(TickUnit::Number, true);
    upper_.setCurves({{"norm", QPen(), {1, 2, 3, 4, 5}, {0, 1e-3, kInfinity, kNan, 10}}});
    EXPECT_GT(upper_.y()->range().lower, 1e-4);
    EXPECT_LT(upper_.y()->range().upper, 100);
    upper_.setScale(TickUnit::Number, false);
    EXPECT_LT(upper_.y()->range().lower, 0);
    upper_.setScale(TickUnit::Number, true);
    EXPECT_GT(upper_.y()->range().lower, 1e-4);
}

TEST_F(TimePlotTest, LegendShowsTheValueAtTheCursor) {
    upper_.setCurves({{"loss", QPen(), {1, 2, 3}, {0.5, 0.25, 0.125}}});
    EXPECT_EQ(upper_.header().legend().at(0).value, "0.125");
    upper_.setLegendAt(2.4);
    EXPECT_EQ(upper_.header().legend().at(0).value, "0.25");
    upper_.setLegendAt(0.5);
    EXPECT_EQ(upper_.header().legend().at(0).value, "");
}

TEST_F(TimePlotTest, TableJoinsCurvesOnX) {
    upper_.setCurves({{"a", QPen(), {1, 2}, {10, 20}}, {"b", QPen(), {2, 3}, {kNan, 7}}});
    EXPECT_EQ(toTsv(upper_.table()), "epoch\ta [loss]\tb [loss]\n1\t10\t\n2\t20\tnan\n3\t\t7\n");
}

TEST_F(TimePlotTest, CopyTakesThePanelUnderTheCursor) {
    lower_.setCurves({{"norm", QPen(), {1}, {3}}});
    mouse(QEvent::MouseMove, lower_.rect()->center(), {});
    QKeyEvent copy(QEvent::KeyPress, Qt::Key_C, Qt::ControlModifier);
    QApplication::sendEvent(&plot_, &copy);
    EXPECT_EQ(QApplication::clipboard()->text(), "epoch\tnorm [norm]\n1\t3\n");
}

TEST_F(TimePlotTest, LinesAreClippedBecauseSvgDoesNotClip) {
    upper_.y()->setRange(0, 1);
    const DrawableSeries spike =
        cutSeries(std::vector<double>{-5, 5, 15}, std::vector<double>{0.2, 1.2, 0.2});
    const Segments segments = segmentsOf(spike, upper_.x(), upper_.y());
    ASSERT_EQ(segments.lines.size(), 2u);
    // The last pixel row is not the range's end: QCustomPlot counts it out.
    EXPECT_NEAR(segments.lines[0].back().x(), upper_.x()->coordToPixel(3), 4);
    const QRectF box = QRectF(upper_.rect()->rect()).adjusted(-1e-6, -1e-6, 1e-6, 1e-6);
    for (const auto& line : segments.lines) {
        for (const QPointF& point : line) {
            EXPECT_TRUE(box.contains(point));
        }
    }
}

TEST_F(TimePlotTest, LonePointsAreDotsAndNonFiniteOnesCrosses) {
    upper_.y()->setRange(0, 10);
    const DrawableSeries series =
        cutSeries(std::vector<double>{1, 2, 3, 4}, std::vector<double>{kNan, 5, kInfinity, kNan});
    const Segments segments = segmentsOf(series, upper_.x(), upper_.y());
    EXPECT_TRUE(segments.lines.empty());
    EXPECT_EQ(segments.dots.size(), 1u);
    ASSERT_EQ(segments.crosses.size(), 3u);
    EXPECT_NEAR(segments.crosses[1].y(), upper_.y()->coordToPixel(5), 1e-9);
}

TEST_F(TimePlotTest, ExportsBothFormatsAndSaysWhenItCannot) {
    const QTemporaryDir folder;
    EXPECT_EQ(plot_.exportTo(folder.filePath("plot.png")), "");
    EXPECT_FALSE(QImage(folder.filePath("plot.png")).isNull());
    ASSERT_EQ(plot_.exportTo(folder.filePath("plot.svg")), "");
    QFile svg(folder.filePath("plot.svg"));
    ASSERT_TRUE(svg.open(QIODevice::ReadOnly));
    EXPECT_TRUE(svg.readAll().contains("Upper"));
    EXPECT_TRUE(plot_.exportTo(folder.filePath("absent/plot.png")).startsWith("Cannot write "));
    EXPECT_TRUE(plot_.exportTo(folder.filePath("absent/plot.svg")).startsWith("Cannot write "));
    EXPECT_TRUE(plot_.exportTo(folder.filePath("plot.pdf")).contains(".png or .svg"));
    EXPECT_FALSE(QFile::exists(folder.filePath("plot.pdf")));
}

}  // namespace
}  // namespace concertina::gui
