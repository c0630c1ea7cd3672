// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/totals.h"

#include <gtest/gtest.h>

namespace concertina {
namespace {

EpochRow epochOf(double payload, double wire) {
    EpochRow row;
    row.payloadBytes = payload;
    row.wireBytes = wire;
    row.denseFp32PayloadBytes = 400;
    row.denseFp32WireBytes = 600;
    return row;
}

LayerEpochRow layerOf(int layer, int level, double payload, double wire) {
    LayerEpochRow row;
    row.layer = layer;
    row.level = level;
    row.payloadBytes = payload;
    row.wireBytes = wire;
    return row;
}

TEST(Totals, RatiosAreDenseByWireBytes) {
    RunRow run;
    run.ranks = 4;
    run.payloadBytes = 10;
    run.wireBytes = 15;
    run.denseFp32PayloadBytes = 100;
    run.denseFp32WireBytes = 150;
    const ByteTotals totals = totalsOf(run);
    EXPECT_EQ(totals.basis, ByteBasis::Wire);
    EXPECT_EQ(totals.sentBytes, 15);
    EXPECT_EQ(totals.denseFp16Bytes(), 75);
    EXPECT_EQ(totals.ratioToFp32(), 10.0);
    EXPECT_EQ(totals.ratioToFp16(), 5.0);
    EXPECT_EQ(wireRatio(run), 10.0);
}

TEST(Totals, OneRankComparesPayloadAndSaysSo) {
    RunRow run;
    run.ranks = 1;
    run.payloadBytes = 25;
    run.denseFp32PayloadBytes = 100;
    const ByteTotals totals = totalsOf(run);
    EXPECT_EQ(totals.basis, ByteBasis::Payload);
    EXPECT_EQ(totals.ratioToFp32(), 4.0);
    EXPECT_EQ(wireRatio(run), std::nullopt);
}

TEST(Totals, NothingSentHasNoRatio) {
    RunRow run;
    run.ranks = 2;
    EXPECT_EQ(totalsOf(run).ratioToFp32(), std::nullopt);
    EXPECT_EQ(totalsOf(run).ratioToFp16(), std::nullopt);
    EXPECT_EQ(wireRatio(run), std::nullopt);
}

TEST(Totals, EpochsAddUp) {
    const std::vector<EpochRow> epochs = {epochOf(10, 20), epochOf(30, 40), epochOf(5, 60)};
    EXPECT_EQ(totalsOf(epochs, 2).sentBytes, 120);
    EXPECT_EQ(totalsOf(epochs, 2).denseFp32Bytes, 1800);
    EXPECT_EQ(totalsOf(epochs, 2).ratioToFp32(), 15.0);
    EXPECT_EQ(totalsOf(epochs, 1).sentBytes, 45);
    EXPECT_EQ(totalsOf(epochs, 1).denseFp32Bytes, 1200);
    EXPECT_EQ(cumulativeBytes(epochs, ByteBasis::Wire), (std::vector<double>{20, 60, 120}));
    EXPECT_EQ(cumulativeBytes(epochs, ByteBasis::Payload), (std::vector<double>{10, 40, 45}));
}

TEST(Totals, SharesOfLayers) {
    const std::vector<LayerEpochRow> rows = {layerOf(0, 0, 1, 30), layerOf(1, -1, 1, 10),
                                             layerOf(0, 1, 1, 40), layerOf(1, -1, 1, 0),
                                             layerOf(7, 0, 9, 99)};
    EXPECT_EQ(byteShares(rows, 3, ByteBasis::Wire), (std::vector<double>{0.875, 0.125, 0}));
    EXPECT_EQ(byteShares(rows, 3, ByteBasis::Payload), (std::vector<double>{0.5, 0.5, 0}));
    EXPECT_EQ(byteShares({}, 2, ByteBasis::Wire), (std::vector<double>{0, 0}));
    EXPECT_DOUBLE_EQ(*mildShare(rows), 2.0 / 3);  // of the three with a level
    EXPECT_EQ(mildShare(std::vector<LayerEpochRow>{layerOf(0, -1, 1, 1)}), std::nullopt);
}

}  // namespace
}  // namespace concertina
