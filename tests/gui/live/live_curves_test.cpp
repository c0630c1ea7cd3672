// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/live/live_curves.h"

#include <gtest/gtest.h>

#include <limits>

#include "gui/live/run_feed.h"
#include "gui/widgets/palette.h"

namespace concertina::gui {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Two matrices and two vectors, four epochs, decisions for epochs 0 and 2.
RunUpdate exampleUpdate(int ranks = 2) {
    RunUpdate update;
    update.whole = true;
    update.run.ranks = ranks;
    update.run.epochsPlanned = 10;
    update.run.stepsPerEpoch = 10;
    update.run.status = RunStatus::Running;
    update.layers = {{0, "conv.weight", {4, 3}, true},
                     {1, "conv.bias", {4}, false},
                     {2, "fc.weight", {2, 4}, true},
                     {3, "fc.bias", {2}, false}};
    for (int epoch = 0; epoch < 4; ++epoch) {
        EpochRow row;
        row.epoch = epoch;
        row.trainLoss = 1.0 / (epoch + 1);
        row.wireBytes = 100;
        row.payloadBytes = 60;
        row.denseFp32WireBytes = 1000;
        row.denseFp32PayloadBytes = 500;
        update.epochs.push_back(row);
        for (int layer = 0; layer < 4; ++layer) {
            LayerEpochRow cell;
            cell.epoch = epoch;
            cell.layer = layer;
            cell.norm = layer == 2 && epoch == 3 ? kNan : 1 + layer;
            cell.level = layer % 2 == 1 ? -1 : epoch < 2 || layer == 0 ? 0 : 1;
            cell.effectiveLevel = cell.level < 0    ? "dense"
                                  : cell.level == 0 ? "ratio 0.1 (k 2)"
                                                    : "ratio 0.01 (k 1)";
            cell.wireBytes = layer == 0 ? 70 : 10;
            cell.payloadBytes = 15;
            update.layerEpochs.push_back(cell);
        }
    }
    update.decisions = {{0, 0, 0, Reason::Initial, {}, {}, -1, -1, {}, {}},
                        {0, 2, 0, Reason::Initial, {}, {}, -1, -1, {}, {}},
                        {2, 0, 0, Reason::Critical, 1.0, 4.0, 1, 0, 0.75, 0.5},
                        {2, 2, 1, Reason::Stable, 3.0, 3.0, 1, 0, 0.0, 0.5}};
    return update;
}

RunView exampleView(int ranks = 2) {
    RunView view;
    view.apply(exampleUpdate(ranks));
    return view;
}

TEST(RunView, LevelsAreNamedWithoutTheirSizeAndNamesAreShortened) {
    const RunView view = exampleView();
    EXPECT_EQ(view.levelNames(), (QStringList{"ratio 0.1", "ratio 0.01"}));
    EXPECT_EQ(view.layers()[0].shortName, "conv");
    EXPECT_EQ(view.layers()[1].shortName, "conv.bias");
    EXPECT_EQ(view.compressibleLayers(), 2);
    EXPECT_EQ(view.criticalLayersAt(1), 0);
    EXPECT_EQ(view.criticalLayersAt(2), 1);
    EXPECT_EQ(view.eta(), 0.5);
}

TEST(RunView, UpdatesAppendAndAWholeOneReplaces) {
    RunView view = exampleView();
    RunUpdate more = exampleUpdate();
    more.whole = false;
    more.layers.clear();
    more.epochs = {more.epochs.back()};
    more.epochs[0].epoch = 4;
    more.layerEpochs.clear();
    view.apply(more);
    EXPECT_EQ(view.epochs().size(), 5u);
    EXPECT_EQ(view.layers().size(), 4u);
    view.apply(exampleUpdate());
    EXPECT_EQ(view.epochs().size(), 4u);
    EXPECT_EQ(view.layers()[0].epochs.size(), 4u);
}

TEST(RunView, TimeLeftIsThePaceOfTheLastSteps) {
    RunUpdate update = exampleUpdate();
    for (int step = 0; step < 40; ++step) {
        update.steps.push_back({step, step / 10, 1.0, 0.5 * (step + 1)});
    }
    RunView view;
    EXPECT_LT(view.secondsLeft(), 0);
    view.apply(update);
    EXPECT_DOUBLE_EQ(view.secondsLeft(), 60 * 0.5);
}

TEST(LiveCurves, MapIsRunsOfEqualCellsWithSmallTensorsFolded) {
    const std::vector<MapRow> rows = mapRows(exampleView(), false);
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[0].runs, (std::vector<MapRun>{{0, 1, 0, false, 'i'}, {2, 3, 0, true, {}}}));
    EXPECT_EQ(rows[1].runs, (std::vector<MapRun>{{0, 1, 0, false, 'i'}, {2, 3, 1, false, {}}}));
    EXPECT_EQ(rows[1].nonFinite, std::vector<int>{3});
    EXPECT_EQ(rows[2].layer, -1);
    EXPECT_EQ(rows[2].name, QString::fromUtf8("▸ 2 small"));
    EXPECT_EQ(rows[2].runs, (std::vector<MapRun>{{0, 3, -1, false, {}}}));
    EXPECT_DOUBLE_EQ(rows[0].bytesShare, 0.7);
    EXPECT_DOUBLE_EQ(rows[2].bytesShare, 0.2);
    EXPECT_EQ(mapRows(exampleView(), true).size(), 5u);
}

TEST(LiveCurves, LettersAreForMildCellsThatAreNotCritical) {
    EXPECT_EQ(reasonLetter(Reason::Initial), QChar('i'));
    EXPECT_EQ(reasonLetter(Reason::LrDecay), QChar('d'));
    EXPECT_EQ(reasonLetter(Reason::ZeroNorm), QChar('0'));
    EXPECT_EQ(reasonLetter(Reason::Manual), QChar('m'));
    EXPECT_TRUE(reasonLetter(Reason::Critical).isNull());
    EXPECT_TRUE(reasonLetter(Reason::Stable).isNull());
}

TEST(LiveCurves, BytesAreOfTheWireOrOfThePayloadWithOneRank) {
    const std::vector<Curve> wire = byteCurves(exampleView(), plotPalette(false), false);
    EXPECT_EQ(wire[0].y, (std::vector<double>(4, 1000)));
    EXPECT_EQ(wire[1].y, (std::vector<double>(4, 500)));
    EXPECT_EQ(wire[2].y, (std::vector<double>(4, 100)));
    const std::vector<Curve> summed = byteCurves(exampleView(), plotPalette(false), true);
    EXPECT_EQ(summed[2].y, (std::vector<double>{100, 200, 300, 400}));
    EXPECT_EQ(summed[1].y.back(), 2000);
    const std::vector<Curve> payload = byteCurves(exampleView(1), plotPalette(false), false);
    EXPECT_EQ(payload[0].y, (std::vector<double>(4, 500)));
    EXPECT_EQ(payload[2].y, (std::vector<double>(4, 60)));
}

TEST(LiveCurves, NormSummaryCountsWhatItCannotShow) {
    const NormSummary summary = normSummary(exampleView());
    EXPECT_EQ(summary.nonFinite, 1);
    EXPECT_EQ(summary.zeros, 0);
    EXPECT_EQ(summary.median.y, (std::vector<double>{2, 2, 2, 1}));
    EXPECT_EQ(summary.median.x, (std::vector<double>{1, 2, 3, 4}));
}

TEST(LiveCurves, DecisionsStandOnTheEdgeOfTheirFirstEpoch) {
    const RunView view = exampleView();
    const auto ranges = criticalRanges(view, 0);
    ASSERT_EQ(ranges.size(), 1u);
    EXPECT_EQ(ranges[0], QCPRange(2.5, 4.5));
    const auto stems = ratioStems(view, plotPalette(false), {});
    ASSERT_EQ(stems.size(), 2u);
    EXPECT_EQ(stems[1].x, 2.5);
    EXPECT_EQ(stems[1].y, 0.75);
    EXPECT_EQ(stems[1].color, plotPalette(false).critical);
    EXPECT_EQ(ratioStems(view, plotPalette(false), 2)[0].color, plotPalette(false).context);
}

TEST(LiveCurves, OneHugeRatioDoesNotFlattenTheOthers) {
    RunUpdate update = exampleUpdate();
    update.decisions[2].ratio = 1e6;
    RunView view;
    view.apply(update);
    EXPECT_DOUBLE_EQ(ratioTop(view), 1.12 * 2);
}

TEST(LiveCurves, FollowingShowsARoundPartOfThePlan) {
    EXPECT_EQ(epochRange(exampleView()), QCPRange(0.5, 10.5));
    RunUpdate update = exampleUpdate();
    update.run.epochsPlanned = 300;
    RunView view;
    view.apply(update);
    EXPECT_EQ(epochRange(view), QCPRange(0.5, 10.5));
    update.run.status = RunStatus::Stopped;
    view.apply(update);
    EXPECT_EQ(epochRange(view), QCPRange(0.5, 4.5));
    EXPECT_EQ(epochRange(RunView()), QCPRange(0.5, 1.5));
}

TEST(LiveTables, EpochsAreShownFromOne) {
    const DataTable decisions = decisionTable(exampleView());
    ASSERT_EQ(decisions.rows.size(), 4u);
    EXPECT_EQ(decisions.rows[1][0], QVariant(3));
    EXPECT_EQ(decisions.rows[1][3], QVariant("critical"));
    EXPECT_EQ(decisions.rows[1][4], QVariant(0.75));
    EXPECT_EQ(layerTable(exampleView()).rows.size(), 16u);
    EXPECT_EQ(criticalTable(exampleView()).rows[2], (std::vector<QVariant>{3, 1, 2}));
}

}  // namespace
}  // namespace concertina::gui
