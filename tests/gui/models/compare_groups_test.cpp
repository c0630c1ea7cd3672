// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/compare_groups.h"

#include <gmock/gmock.h>

#include "gui/models/compare_model.h"

namespace concertina::gui {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

RunSeries seriesOf(const std::string& id,
                   const std::string& hash,
                   std::uint64_t seed,
                   double accuracy) {
    RunSeries series;
    series.run.id = id;
    series.run.name = "net";
    series.run.specHash = hash;
    series.run.seed = seed;
    series.run.ranks = 2;
    series.run.epochsDone = 2;
    series.run.testAccuracy = accuracy;
    series.run.wireBytes = 300;
    series.run.denseFp32WireBytes = 1200;
    for (int epoch = 0; epoch < 2; ++epoch) {
        EpochRow row;
        row.epoch = epoch;
        row.trainLoss = 1.0 / (epoch + 1);
        row.wireBytes = epoch == 0 ? 100 : 200;
        row.trainSeconds = 10.0 * (epoch + 1);
        if (epoch == 1) {
            row.testAccuracy = accuracy;
        }
        series.epochs.push_back(row);
    }
    return series;
}

TEST(CompareGroups, SeedsOfOneConfigurationAreOneGroup) {
    const RunSeriesList runs{seriesOf("a", "x", 1, 0.8), seriesOf("b", "y", 1, 0.5),
                             seriesOf("c", "x", 2, 0.9)};
    const auto groups = compareGroups(runs, true);
    ASSERT_THAT(groups, SizeIs(2));
    EXPECT_EQ(groups[0].name, "net (2 seeds)");
    EXPECT_DOUBLE_EQ(groups[0].accuracy.mean, 0.85);
    EXPECT_NEAR(groups[0].accuracy.spread, 0.0707106781, 1e-9);
    EXPECT_DOUBLE_EQ(groups[1].ratioToFp32.mean, 4);
    EXPECT_DOUBLE_EQ(groups[1].ratioToFp16.mean, 2);
}

TEST(CompareGroups, EqualNamesAreToldApart) {
    const RunSeriesList runs{seriesOf("a", "x", 1, 0.8), seriesOf("b", "y", 1, 0.5),
                             seriesOf("c", "x", 2, 0.9)};
    const auto groups = compareGroups(runs, false);
    ASSERT_THAT(groups, SizeIs(3));
    EXPECT_EQ(groups[0].name, "net, seed 1, a");
    EXPECT_EQ(groups[1].name, "net, seed 1, b");
    EXPECT_EQ(groups[2].name, "net, seed 2");
}

TEST(CompareGroups, BytesAddUpAndEpochsWithoutTheMetricAreLeftOut) {
    const auto groups = compareGroups({seriesOf("a", "x", 1, 0.8)}, true);
    const MeanCurve loss =
        compareCurve(groups[0], CompareMetric::TrainLoss, CompareAxis::BytesSent);
    EXPECT_THAT(loss.x, ElementsAre(100, 300));
    EXPECT_THAT(loss.mean, ElementsAre(1.0, 0.5));
    const MeanCurve accuracy =
        compareCurve(groups[0], CompareMetric::TestAccuracy, CompareAxis::TrainTime);
    EXPECT_THAT(accuracy.x, ElementsAre(20));
    EXPECT_THAT(accuracy.mean, ElementsAre(0.8));
}

TEST(CompareGroups, AOneRankRunIsNamedPayloadOnTheAxis) {
    RunSeries single = seriesOf("a", "x", 1, 0.8);
    single.run.ranks = 1;
    EXPECT_TRUE(
        axisTitle(CompareAxis::BytesSent, compareGroups({single}, true)).contains("payload"));
    EXPECT_EQ(axisTitle(CompareAxis::BytesSent, compareGroups({seriesOf("b", "y", 1, 0.5)}, true)),
              "gradient wire bytes sent per rank");
}

TEST(CompareModel, ShowsDifferencesToTheFirstRun) {
    RunSeries half = seriesOf("b", "y", 1, 0.9);
    half.run.wireBytes = 150;
    CompareModel model;
    model.setGroups(compareGroups({seriesOf("a", "x", 1, 0.8), half}, true), {QPen(), QPen()});
    EXPECT_EQ(model.index(0, 3).data().toString(), "baseline");
    EXPECT_EQ(model.index(1, 3).data().toString(), "+10.0 pp");
    EXPECT_EQ(model.index(1, 5).data().toString(), QString::fromUtf8("−50.0 %"));
    const DataTable table = model.table({model.index(1, 0)});
    ASSERT_THAT(table.rows, SizeIs(1));
    EXPECT_EQ(table.rows[0][2].toDouble(), 0.9);
}

TEST(DataTable, CsvQuotesWhatNeedsIt) {
    const DataTable table{"t", {"run, seed", "bytes"}, {{QString("a \"b\""), 1.5}}};
    EXPECT_EQ(toCsv(table), "\"run, seed\",bytes\r\n\"a \"\"b\"\"\",1.5\r\n");
}

}  // namespace
}  // namespace concertina::gui
