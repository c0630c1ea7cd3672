// SPDX-License-Identifier: Apache-2.0
#include "tests/support/generated_run.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "core/store/reader.h"
#include "tests/support/store_folder.h"

namespace concertina {
namespace {

TEST(GeneratedRun, HoldsEveryCaseTheWorkbenchMustShow) {
    StoreFolder folder;
    RunWriter writer(folder.file());
    const std::string id = writeGeneratedRun(writer);
    RunReader reader(folder.file());
    const RunRow run = *reader.run(id);
    EXPECT_EQ(run.status, RunStatus::Done);
    EXPECT_EQ(run.epochsDone, 40);
    EXPECT_EQ(run.stepsDone, 2000);
    const RunSpec spec = runSpecFromJson(run.specJson);
    EXPECT_EQ(parseRunSpec(toToml(spec), "generated"), spec);  // one that a user could launch
    EXPECT_EQ(spec.levels.size(), 2u);
    EXPECT_EQ(reader.layers(id).size(), 60u);
    EXPECT_EQ(reader.steps(id).size(), 2000u);
    EXPECT_EQ(reader.layerEpochs(id).size(), 2400u);
    EXPECT_TRUE(std::isnan(reader.steps(id)[5].loss));
    EXPECT_GT(run.denseFp32WireBytes, 5 * run.wireBytes);
    EXPECT_GT(*run.mildShare, 0.1);
    EXPECT_LT(*run.mildShare, 0.9);
    std::set<Reason> reasons;
    std::set<int> bothWays;  // layers that went strong -> mild by detection
    for (const Decision& decision : reader.decisions(id)) {
        reasons.insert(decision.reason);
        if (decision.reason == Reason::Critical && decision.epoch > 20) {
            bothWays.insert(decision.layer);
        }
    }
    EXPECT_EQ(reasons, (std::set<Reason>{Reason::Initial, Reason::Critical, Reason::Stable,
                                         Reason::LrDecay, Reason::ZeroNorm, Reason::NonFinite}));
    EXPECT_GE(bothWays.size(), 2u);
    double wire = 0;
    for (const LayerEpochRow& row : reader.layerEpochs(id)) {
        wire += row.wireBytes;
    }
    EXPECT_EQ(wire, run.wireBytes);  // whole numbers: no rounding
}

TEST(GeneratedRun, CanBeLeftRunning) {
    StoreFolder folder;
    RunWriter writer(folder.file());
    const std::string id = writeGeneratedRun(writer, {.layers = 6, .epochs = 8}, 3);
    RunReader reader(folder.file());
    EXPECT_EQ(reader.run(id)->status, RunStatus::Running);
    EXPECT_EQ(reader.run(id)->epochsDone, 3);
    EXPECT_TRUE(writer.markLost().empty());
}

}  // namespace
}  // namespace concertina
