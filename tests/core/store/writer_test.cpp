// SPDX-License-Identifier: Apache-2.0
#include "core/store/writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/store/reader.h"
#include "tests/support/store_folder.h"

namespace concertina {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

class WriterTest : public testing::Test {
 protected:
    StoreFolder folder;
    RunWriter writer{folder.file()};
    RunReader reader{folder.file()};
};

TEST_F(WriterTest, ARunReadsBackAsItWasCreatedWithoutProgress) {
    RunRow run = exampleRun("run000000001");
    run.epochsDone = 7;  // ignored
    run.testAccuracy = 0.5;
    writer.createRun(run);
    const auto stored = reader.run("run000000001");
    ASSERT_TRUE(stored);
    EXPECT_EQ(stored->name, "example");
    EXPECT_EQ(stored->status, RunStatus::Queued);
    EXPECT_EQ(stored->specJson, "{\"name\": \"example\"}");
    EXPECT_EQ(stored->seed, 18446744073709551615u);
    EXPECT_EQ(stored->ranks, 2);
    EXPECT_EQ(stored->epochsPlanned, 4);
    EXPECT_EQ(stored->createdMs, 1000);
    EXPECT_EQ(stored->supervisor, run.supervisor);
    EXPECT_EQ(stored->exitCode, std::nullopt);
    EXPECT_EQ(stored->epochsDone, 0);
    EXPECT_EQ(stored->testAccuracy, std::nullopt);
    EXPECT_EQ(stored->mildShare, std::nullopt);
    EXPECT_EQ(stored->wireBytes, 0);
}

TEST_F(WriterTest, ARunThatGoesOnLosesWhatLiesBehindItsCheckpointAndNothingElse) {
    writer.createRun(exampleRun("run000000001"));
    const std::vector<StepRow> steps{{.step = 0}, {.step = 3}, {.step = 4}, {.step = 5}};
    writer.addSteps("run000000001", steps);
    for (int epoch = 0; epoch < 3; ++epoch) {
        const std::vector<LayerEpochRow> layers{{.epoch = epoch, .level = epoch == 0 ? 0 : 1}};
        writer.addEpoch("run000000001",
                        {.epoch = epoch, .testAccuracy = 0.25 * epoch, .steps = 2, .wireBytes = 10},
                        layers);
        const std::vector<Decision> decisions{{.epoch = epoch}};
        writer.addDecisions("run000000001", decisions);
    }
    writer.addEvent("run000000001", {.step = 3, .kind = "kept"});
    writer.addEvent("run000000001", {.step = 4, .kind = "superseded"});
    writer.addEvent("run000000001", {.kind = "of the supervisor"});
    const ResumePoint point{.epoch = 2, .step = 4, .fresh = false};
    EXPECT_THROW(writer.reopenRun("run000000001", thisProcess(), point), Error);  // active
    writer.setStatus("run000000001", RunStatus::Lost, "gone", 5);
    writer.requestControl("run000000001", "stop");
    writer.reopenRun("run000000001", thisProcess(), point);

    const auto run = reader.run("run000000001");
    EXPECT_EQ(run->status, RunStatus::Queued);
    EXPECT_EQ(run->reason, "");
    EXPECT_EQ(run->exitCode, std::nullopt);
    EXPECT_EQ(run->finishedMs, 0);
    EXPECT_EQ(run->supervisor, thisProcess());
    EXPECT_EQ(run->epochsDone, 2);
    EXPECT_EQ(run->wireBytes, 20);
    EXPECT_EQ(run->testAccuracy, 0.25);
    EXPECT_EQ(run->mildShare, 0.5);
    EXPECT_EQ(reader.steps("run000000001").back().step, 3);
    EXPECT_EQ(reader.layerEpochs("run000000001").size(), 2U);
    EXPECT_EQ(reader.decisions("run000000001").back().epoch, 2) << "decided before it began";
    const auto events = reader.events("run000000001");
    ASSERT_EQ(events.size(), 2U);
    EXPECT_EQ(events[0].kind, "kept");
    EXPECT_EQ(events[1].kind, "of the supervisor");
    EXPECT_TRUE(writer.takeControl("run000000001").empty()) << "the old stop is not meant";

    writer.setStatus("run000000001", RunStatus::Stopped);
    writer.reopenRun("run000000001", thisProcess(), {});
    EXPECT_TRUE(reader.decisions("run000000001").empty());
    EXPECT_EQ(reader.run("run000000001")->epochsDone, 0);
    EXPECT_EQ(reader.run("run000000001")->testAccuracy, std::nullopt);
    EXPECT_EQ(reader.run("run000000001")->mildShare, std::nullopt);
}

TEST_F(WriterTest, AnIdIsNeverTakenTwice) {
    writer.createRun(exampleRun("run000000001"));
    try {
        writer.createRun(exampleRun("run000000001"));
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Store);
        EXPECT_THAT(error.what(), HasSubstr("already has a run run000000001"));
    }
}

TEST_F(WriterTest, NamesMayRepeatAndAreKeptAsText) {
    RunRow run = exampleRun("run000000001");
    run.name = "it's \"5\"; DROP TABLE runs; -- ü";
    writer.createRun(run);
    run.id = "run000000002";
    writer.createRun(run);
    EXPECT_EQ(reader.runs().size(), 2u);
    EXPECT_EQ(reader.findRun(run.name).id, "run000000002");
}

TEST_F(WriterTest, StatusSetsStartAndEndOnce) {
    writer.createRun(exampleRun("run000000001"));
    const std::int64_t before = unixNowMs();
    writer.setStatus("run000000001", RunStatus::Running);
    const RunRow running = *reader.run("run000000001");
    EXPECT_EQ(running.status, RunStatus::Running);
    EXPECT_GE(running.startedMs, before);
    EXPECT_EQ(running.finishedMs, 0);
    writer.setStatus("run000000001", RunStatus::Failed, "rank 1 was killed by signal 9", 5);
    const RunRow failed = *reader.run("run000000001");
    EXPECT_EQ(failed.startedMs, running.startedMs);
    EXPECT_GE(failed.finishedMs, failed.startedMs);
    EXPECT_EQ(failed.reason, "rank 1 was killed by signal 9");
    EXPECT_EQ(failed.exitCode, 5);
}

TEST_F(WriterTest, AnEndWithoutReasonKeepsTheOneOfRankZero) {
    writer.createRun(exampleRun("run000000001"));
    FinishRow finish;
    finish.diverged = true;
    finish.reason = "loss was NaN in step 12";
    finish.weightsHash = "abc";
    writer.finishTraining("run000000001", finish);
    writer.setStatus("run000000001", RunStatus::Diverged, "", 4);
    EXPECT_EQ(reader.run("run000000001")->reason, "loss was NaN in step 12");
    EXPECT_EQ(reader.run("run000000001")->weightsHash, "abc");
    const auto events = reader.events("run000000001");
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].kind, "diverged");
    EXPECT_EQ(events[0].message, "loss was NaN in step 12");
}

TEST_F(WriterTest, PlanHeartbeatAndSupervisorAreKept) {
    writer.createRun(exampleRun("run000000001"));
    writer.setPlan("run000000001", "cuda", "nccl", 47);
    writer.setSupervisor("run000000001", thisProcess());
    const std::int64_t before = unixNowMs();
    writer.heartbeat("run000000001");
    const RunRow run = *reader.run("run000000001");
    EXPECT_EQ(run.device, "cuda");
    EXPECT_EQ(run.backend, "nccl");
    EXPECT_EQ(run.stepsPerEpoch, 47);
    EXPECT_EQ(run.supervisor, thisProcess());
    EXPECT_GE(run.heartbeatMs, before);
}

TEST_F(WriterTest, LayersAndStepsReadBackEqual) {
    writer.createRun(exampleRun("run000000001"));
    const std::vector<LayerRow> layers = {{0, "conv1.weight", {6, 1, 5, 5}, true},
                                          {1, "conv1.bias", {6}, false},
                                          {2, "scale", {}, false}};
    writer.addLayers("run000000001", layers);
    const auto stored = reader.layers("run000000001");
    ASSERT_EQ(stored.size(), 3u);
    EXPECT_EQ(stored[0].name, "conv1.weight");
    EXPECT_EQ(stored[0].shape, (Shape{6, 1, 5, 5}));
    EXPECT_TRUE(stored[0].compressible);
    EXPECT_EQ(stored[2].shape, Shape{});
    EXPECT_FALSE(stored[2].compressible);
    const std::vector<StepRow> steps = {
        {0, 0, 2.5, 0.01}, {1, 0, kNan, 0.02}, {2, 1, kInf, 0.03}, {3, 1, -kInf, 0.04}};
    writer.addSteps("run000000001", steps);
    const auto read = reader.steps("run000000001", 1);
    ASSERT_EQ(read.size(), 3u);
    EXPECT_EQ(read[0].step, 1);
    EXPECT_TRUE(std::isnan(read[0].loss));
    EXPECT_EQ(read[1].loss, kInf);
    EXPECT_EQ(read[1].epoch, 1);
    EXPECT_EQ(read[2].loss, -kInf);
    EXPECT_EQ(read[2].trainSeconds, 0.04);
}

TEST_F(WriterTest, AbsentAndNanStayDifferent) {
    writer.createRun(exampleRun("run000000001"));
    EpochRow epoch = exampleEpoch(0);
    epoch.testLoss = std::nullopt;
    epoch.testAccuracy = kNan;
    epoch.trainLoss = kNan;
    writer.addEpoch("run000000001", epoch, {});
    epoch = exampleEpoch(1);
    epoch.testLoss = -kInf;
    epoch.testAccuracy = std::nullopt;
    writer.addEpoch("run000000001", epoch, {});
    const auto read = reader.epochs("run000000001");
    ASSERT_EQ(read.size(), 2u);
    EXPECT_EQ(read[0].testLoss, std::nullopt);
    ASSERT_TRUE(read[0].testAccuracy);
    EXPECT_TRUE(std::isnan(*read[0].testAccuracy));
    EXPECT_TRUE(std::isnan(read[0].trainLoss));
    EXPECT_EQ(read[1].testLoss, -kInf);
    EXPECT_EQ(read[1].testAccuracy, std::nullopt);
    EXPECT_EQ(read[1].trainLoss, 0.25);
}

TEST_F(WriterTest, EveryFieldOfEpochLayerAndDecisionReadsBack) {
    writer.createRun(exampleRun("run000000001"));
    EpochRow epoch;
    epoch = {3, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, "hash"};
    const std::vector<LayerEpochRow> layers = {{3, 0, kNan, 1, "rank 4", 2, 3, 4, 5, 6},
                                               {3, 1, 0.5, -1, "dense", 7, 8, 9, 10, 11}};
    writer.addEpoch("run000000001", epoch, layers);
    const std::vector<Decision> decisions = {
        {0, 0, 0, Reason::Initial, {}, {}, -1, -1, {}, {}},
        {4, 0, 1, Reason::NonFinite, kNan, 2.0, 3, 1, kInf, 0.5},
        {4, 0, 0, Reason::LrDecay, {}, {}, -1, -1, {}, {}}};
    writer.addDecisions("run000000001", decisions);

    const EpochRow read = reader.epochs("run000000001").at(0);
    EXPECT_EQ(read.epoch, 3);
    EXPECT_EQ(read.trainLoss, 0.1);
    EXPECT_EQ(read.testLoss, 0.2);
    EXPECT_EQ(read.testAccuracy, 0.3);
    EXPECT_EQ(read.learningRate, 0.4);
    EXPECT_EQ(read.trainSeconds, 0.5);
    EXPECT_EQ(read.epochSeconds, 0.6);
    EXPECT_EQ(read.steps, 7);
    EXPECT_EQ(read.payloadBytes, 8);
    EXPECT_EQ(read.wireBytes, 9);
    EXPECT_EQ(read.denseFp32WireBytes, 10);
    EXPECT_EQ(read.denseFp32PayloadBytes, 11);
    EXPECT_EQ(read.decisionWireBytes, 12);
    EXPECT_EQ(read.controlWireBytes, 13);
    EXPECT_EQ(read.metricWireBytes, 14);
    EXPECT_EQ(read.bufferWireBytes, 15);
    EXPECT_EQ(read.sizeWireBytes, 16);
    EXPECT_EQ(read.weightsHash, "hash");

    const auto readLayers = reader.layerEpochs("run000000001");
    ASSERT_EQ(readLayers.size(), 2u);
    EXPECT_TRUE(std::isnan(readLayers[0].norm));
    EXPECT_EQ(readLayers[0].level, 1);
    EXPECT_EQ(readLayers[0].effectiveLevel, "rank 4");
    EXPECT_EQ(readLayers[1].layer, 1);
    EXPECT_EQ(readLayers[1].level, -1);
    EXPECT_EQ(readLayers[1].payloadBytes, 7);
    EXPECT_EQ(readLayers[1].wireBytes, 8);
    EXPECT_EQ(readLayers[1].denseFp32WireBytes, 9);
    EXPECT_EQ(readLayers[1].strongestWireBytes, 10);
    EXPECT_EQ(readLayers[1].mildestWireBytes, 11);
    EXPECT_TRUE(reader.layerEpochs("run000000001", 4).empty());

    const auto readDecisions = reader.decisions("run000000001", 1);
    ASSERT_EQ(readDecisions.size(), 2u);
    EXPECT_EQ(readDecisions[0].reason, Reason::NonFinite);
    EXPECT_TRUE(std::isnan(*readDecisions[0].norm));
    EXPECT_EQ(readDecisions[0].previousNorm, 2.0);
    EXPECT_EQ(readDecisions[0].normEpoch, 3);
    EXPECT_EQ(readDecisions[0].previousEpoch, 1);
    EXPECT_EQ(readDecisions[0].ratio, kInf);
    EXPECT_EQ(readDecisions[0].eta, 0.5);
    EXPECT_EQ(readDecisions[1].reason, Reason::LrDecay);  // of the same epoch, made later
    EXPECT_EQ(readDecisions[1].norm, std::nullopt);
}

TEST_F(WriterTest, ProgressIsTheSumOfEpochsAndTheLastEvaluation) {
    writer.createRun(exampleRun("run000000001"));
    // Two compressible layers, one mild in the first epoch, none in the second, and a dense one.
    const std::vector<LayerEpochRow> first = {{0, 0, 1, 0, "", 0, 0, 0, 0, 0},
                                              {0, 1, 1, 1, "", 0, 0, 0, 0, 0},
                                              {0, 2, 1, -1, "", 0, 0, 0, 0, 0}};
    const std::vector<LayerEpochRow> second = {{1, 0, 1, 1, "", 0, 0, 0, 0, 0},
                                               {1, 1, 1, 1, "", 0, 0, 0, 0, 0},
                                               {1, 2, 1, -1, "", 0, 0, 0, 0, 0}};
    writer.addEpoch("run000000001", exampleEpoch(0), first);
    EpochRow epoch = exampleEpoch(1);
    epoch.testAccuracy = epoch.testLoss = std::nullopt;  // not evaluated
    writer.addEpoch("run000000001", epoch, second);
    RunRow run = *reader.run("run000000001");
    EXPECT_EQ(run.epochsDone, 2);
    EXPECT_EQ(run.stepsDone, 20);
    EXPECT_EQ(run.testAccuracy, 0.75);
    EXPECT_EQ(run.testLoss, 0.5);
    EXPECT_EQ(run.trainSeconds, 2);
    EXPECT_EQ(run.payloadBytes, 200);
    EXPECT_EQ(run.wireBytes, 400);
    EXPECT_EQ(run.denseFp32WireBytes, 4000);
    EXPECT_EQ(run.denseFp32PayloadBytes, 2000);
    EXPECT_EQ(run.decisionWireBytes, 6);
    EXPECT_EQ(run.mildShare, 0.25);

    // A resumed run writes an epoch again: replaced, not added.
    epoch.testLoss = kNan;
    writer.addEpoch("run000000001", epoch, second);
    run = *reader.run("run000000001");
    EXPECT_EQ(run.epochsDone, 2);
    EXPECT_EQ(run.wireBytes, 400);
    ASSERT_TRUE(run.testLoss);
    EXPECT_TRUE(std::isnan(*run.testLoss));
    EXPECT_EQ(run.testAccuracy, std::nullopt);
    epoch = exampleEpoch(2);
    writer.addEpoch("run000000001", epoch, {});
    EXPECT_EQ(reader.run("run000000001")->testLoss, 0.5);
}

TEST_F(WriterTest, ABatchIsWrittenWholeOrNotAtAll) {
    PointBatch batch;
    batch.epochs.push_back(exampleEpoch(0));
    try {
        writer.addPoints("nobody", batch);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Store);
        EXPECT_THAT(error.what(), HasSubstr("has no run nobody"));
    }
    writer.createRun(exampleRun("run000000001"));
    EXPECT_TRUE(reader.epochs("run000000001").empty());
}

TEST_F(WriterTest, ControlRequestsAreSeenOnceInOrder) {
    writer.createRun(exampleRun("run000000001"));
    writer.createRun(exampleRun("run000000002"));
    RunWriter other(folder.file());
    other.requestControl("run000000001", "pause");
    other.requestControl("run000000001", "stop");
    other.requestControl("run000000002", "checkpoint");
    EXPECT_THAT(writer.takeControl("run000000001"), ElementsAre("pause", "stop"));
    EXPECT_THAT(writer.takeControl("run000000001"), ElementsAre());
    EXPECT_THAT(writer.takeControl("run000000002"), ElementsAre("checkpoint"));
    EXPECT_THROW(other.requestControl("nobody", "stop"), Error);
}

TEST_F(WriterTest, RunsOfDeadSupervisorsBecomeLostAndOthersStay) {
    const ProcessIdentity alive = thisProcess();
    ProcessIdentity dead = alive;
    dead.startTicks -= 1;  // the pid was reused
    ProcessIdentity otherHost = dead;
    otherHost.host = "elsewhere";
    const struct {
        const char* id;
        ProcessIdentity supervisor;
        RunStatus status;
    } cases[] = {{"alive0000000", alive, RunStatus::Running},
                 {"dead00000000", dead, RunStatus::Running},
                 {"deadpaused00", dead, RunStatus::Paused},
                 {"deadqueued00", dead, RunStatus::Queued},
                 {"deaddone0000", dead, RunStatus::Done},
                 {"elsewhere000", otherHost, RunStatus::Running},
                 {"nobodyyet000", {}, RunStatus::Queued}};
    for (const auto& row : cases) {
        writer.createRun(exampleRun(row.id));
        writer.setSupervisor(row.id, row.supervisor);
        writer.setStatus(row.id, row.status);
    }
    writer.heartbeat("dead00000000");
    const std::int64_t beat = reader.run("dead00000000")->heartbeatMs;
    EXPECT_THAT(writer.markLost(),
                testing::UnorderedElementsAre("dead00000000", "deadpaused00", "deadqueued00"));
    EXPECT_THAT(writer.markLost(), ElementsAre());
    const RunRow lost = *reader.run("dead00000000");
    EXPECT_EQ(lost.status, RunStatus::Lost);
    EXPECT_EQ(lost.finishedMs, beat);
    EXPECT_THAT(lost.reason,
                HasSubstr("process " + std::to_string(alive.pid) + " on " + alive.host));
    EXPECT_EQ(reader.run("alive0000000")->status, RunStatus::Running);
    EXPECT_EQ(reader.run("deaddone0000")->status, RunStatus::Done);
    EXPECT_EQ(reader.run("elsewhere000")->status, RunStatus::Running);
    EXPECT_EQ(reader.run("nobodyyet000")->status, RunStatus::Queued);
}

TEST_F(WriterTest, DroppedPointsAddUp) {
    writer.createRun(exampleRun("run000000001"));
    writer.addDroppedPoints("run000000001", 3);
    writer.addDroppedPoints("run000000001", 4);
    EXPECT_EQ(reader.run("run000000001")->droppedPoints, 7);
}

}  // namespace
}  // namespace concertina
