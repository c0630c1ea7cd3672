// SPDX-License-Identifier: Apache-2.0
#include "core/train/epoch_report.h"
#include "tests/support/compress_choice.h"

#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

namespace concertina {
namespace {

TEST(EpochReport, RowsCarryWhatWasSentAndWhatOtherLevelsWouldHaveSent) {
    RunSpec spec = defaultRunSpec();
    spec.compress = compressorAtDefaults("topk");
    spec.compress.options["indices"] = std::string("int32");
    spec.levels = {{{"ratio", 0.1}}, {{"ratio", 0.01}}};
    auto layers = makeLayers(spec, {"w", "b"}, {at::zeros({40, 50}), at::zeros({40})}, 4);
    layers[0].level = 1;
    layers[0].payloadBytes = 3 * 160;  // 3 steps of 20 kept elements at 8 bytes
    layers[0].wireBytes = 3 * 3 * 160.0;
    layers[1].payloadBytes = 3 * 160;  // 3 steps of 40 floats
    layers[1].wireBytes = 3 * 1.5 * 160;

    const auto rows = layerEpochRows(layers, {2.5, 0.5}, 7, 3, 4);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].epoch, 7);
    EXPECT_EQ(rows[0].level, 1);
    EXPECT_EQ(rows[0].norm, 2.5);
    EXPECT_EQ(rows[0].wireBytes, 1440);
    EXPECT_EQ(rows[0].strongestWireBytes, 3 * 3 * 160);
    EXPECT_EQ(rows[0].mildestWireBytes, 3 * 3 * 1600);
    EXPECT_EQ(rows[0].denseFp32WireBytes, 3 * 1.5 * 8000);
    EXPECT_EQ(rows[1].level, -1);
    EXPECT_EQ(rows[1].effectiveLevel, "dense");

    EpochRow epoch;
    epoch.steps = 3;
    addByteTotals(epoch, layers, rows);
    EXPECT_EQ(epoch.payloadBytes, 960);
    EXPECT_EQ(epoch.wireBytes, 1440 + 720);
    EXPECT_EQ(epoch.denseFp32WireBytes, 3 * 1.5 * 8160);
    EXPECT_EQ(epoch.denseFp32PayloadBytes, 3 * 8160);
    EXPECT_EQ(denseWireBytesPerStep(layers, 4), 1.5 * 8160);
}

}  // namespace
}  // namespace concertina
