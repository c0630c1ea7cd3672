// SPDX-License-Identifier: Apache-2.0
// A run that was interrupted and went on is the run that was not: weights, decisions, bytes, to the
// bit. And a checkpoint that is not whole, or not this run's, is refused with words.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "core/base/durable_file.h"
#include "core/base/error.h"
#include "core/launch/supervisor.h"
#include "core/store/checkpoint.h"
#include "core/store/reader.h"
#include "core/store/writer.h"
#include "tests/engine/engine_runs.h"

namespace concertina {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// What must not depend on an interruption: all but times.
void expectSameRun(RunReader& reader, const RunRow& straight, const RunRow& resumed) {
    EXPECT_EQ(resumed.status, RunStatus::Done) << resumed.reason;
    EXPECT_EQ(resumed.weightsHash, straight.weightsHash);
    EXPECT_EQ(resumed.payloadBytes, straight.payloadBytes);
    EXPECT_EQ(resumed.wireBytes, straight.wireBytes);
    EXPECT_EQ(resumed.testLoss, straight.testLoss);
    EXPECT_EQ(resumed.mildShare, straight.mildShare);
    EXPECT_EQ(resumed.stepsDone, straight.stepsDone);
    const auto a = reader.epochs(straight.id), b = reader.epochs(resumed.id);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a[i].weightsHash, b[i].weightsHash) << "epoch " << i;
        EXPECT_EQ(a[i].trainLoss, b[i].trainLoss) << "epoch " << i;
        EXPECT_EQ(a[i].wireBytes, b[i].wireBytes) << "epoch " << i;
        EXPECT_EQ(a[i].sizeWireBytes, b[i].sizeWireBytes) << "epoch " << i;
        EXPECT_EQ(a[i].controlWireBytes, b[i].controlWireBytes) << "epoch " << i;
        EXPECT_EQ(a[i].decisionWireBytes, b[i].decisionWireBytes) << "epoch " << i;
    }
    const auto before = reader.decisions(straight.id), after = reader.decisions(resumed.id);
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
        EXPECT_EQ(before[i].epoch, after[i].epoch);
        EXPECT_EQ(before[i].level, after[i].level);
        EXPECT_EQ(before[i].norm, after[i].norm);
        EXPECT_EQ(before[i].ratio, after[i].ratio);
    }
    const auto losses = reader.steps(straight.id), again = reader.steps(resumed.id);
    ASSERT_EQ(losses.size(), again.size());
    for (std::size_t i = 0; i < losses.size(); ++i) {
        EXPECT_EQ(losses[i].step, again[i].step);
        EXPECT_EQ(losses[i].loss, again[i].loss) << "step " << i;
    }
}

class Resume : public EngineRuns {
 protected:
    RunOutcome resume(const std::string& id) {
        RunRequest asked = request({});
        asked.id = id;
        return resumeRun(asked, {});
    }
    /// Runs until `epochs` are recorded, then kills a rank or stops.
    RunRow interrupted(const RunSpec& spec, int epochs, bool kill) {
        std::string id;
        std::atomic<bool> done = false;
        RunObserver observer;
        observer.started = [&](const RunRow& row) { id = row.id; };
        observer.epoch = [&](const EpochRow& row) {
            if (row.epoch + 1 >= epochs && !done.exchange(true)) {
                if (kill) {
                    const auto ranks = ranksOf(id);
                    ::kill(ranks.rbegin()->second, SIGKILL);
                } else {
                    RunWriter(store()).requestControl(id, "stop");
                }
            }
        };
        return superviseRun(request(spec), observer).run;
    }
    fs::path newestCheckpoint(const std::string& id) const {
        return listCheckpoints(runFolder(store(), id)).at(0);
    }
    void refuses(const std::string& id, const std::string& words) {
        try {
            resume(id);
            FAIL() << "went on, though " << words;
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::Usage);
            EXPECT_THAT(error.what(), HasSubstr(words));
        }
    }
};

TEST_F(Resume, AStoppedRunEndsAsTheStraightOne) {
    RunSpec spec = quickSpec(2, 80);
    spec.compress = compressorAtDefaults("powersgd");
    spec.levels = {{{"rank", std::int64_t{4}}}, {{"rank", std::int64_t{1}}}};
    const RunRow straight = run(spec).run;
    const RunRow stopped = interrupted(spec, 5, /*kill=*/false);
    ASSERT_EQ(stopped.status, RunStatus::Stopped) << stopped.reason;
    ASSERT_LT(stopped.epochsDone, 80);
    const RunRow resumed = resume(stopped.id).run;
    RunReader reader(store());
    expectSameRun(reader, straight, resumed);
    refuses(resumed.id, "is done");
}

TEST_F(Resume, AKilledRunEndsAsTheStraightOne) {
    RunSpec spec = quickSpec(3, 60);
    spec.compress = compressorAtDefaults("variance");
    spec.levels = {{{"alpha", 1.0}}, {{"alpha", 2.0}}};
    spec.train["checkpoint_every_epochs"] = std::int64_t{3};
    spec.train["lr_decay_epochs"] = std::vector<std::int64_t>{7, 30};
    const RunRow straight = run(spec).run;
    const RunRow killed = interrupted(spec, 8, /*kill=*/true);
    ASSERT_EQ(killed.status, RunStatus::Failed) << killed.reason;
    const RunRow resumed = resume(killed.id).run;
    RunReader reader(store());
    expectSameRun(reader, straight, resumed);
    EXPECT_EQ(listCheckpoints(runFolder(store(), killed.id)).size(), 2U) << "the last two stay";
}

TEST_F(Resume, ADamagedCheckpointGivesWayToTheOneBeforeIt) {
    const RunSpec spec = quickSpec(2, 40);
    const RunRow straight = run(spec).run;
    const RunRow stopped = interrupted(spec, 4, /*kill=*/false);
    std::ofstream(newestCheckpoint(stopped.id) / "rank1.safetensors", std::ios::app) << "x";
    const RunRow resumed = resume(stopped.id).run;
    RunReader reader(store());
    expectSameRun(reader, straight, resumed);
    const auto events = reader.events(resumed.id);
    const auto told = std::find_if(events.begin(), events.end(),
                                   [](const EventRow& event) { return event.kind == "resumed"; });
    ASSERT_NE(told, events.end());
    EXPECT_THAT(told->message, HasSubstr("rank1.safetensors has"));
}

TEST_F(Resume, WhatIsNotWholeOrNotThisRunsIsRefused) {
    RunSpec spec = quickSpec(2, 4000);
    spec.train["checkpoint_keep"] = std::int64_t{1};
    const RunRow stopped = interrupted(spec, 2, /*kill=*/false);
    ASSERT_EQ(stopped.status, RunStatus::Stopped) << stopped.reason;
    const fs::path checkpoint = newestCheckpoint(stopped.id);
    const fs::path whole = folder_.path() / "whole";
    fs::copy(checkpoint, whole, fs::copy_options::recursive);
    const auto spoil = [&](const std::string& name, const std::string& text) {
        std::ofstream(checkpoint / name, std::ios::binary | std::ios::trunc) << text;
    };
    const auto mend = [&] {
        fs::remove_all(checkpoint);
        fs::copy(whole, checkpoint, fs::copy_options::recursive);
    };
    const std::string weights = readWhole(whole / kWeightsFile);
    spoil(kWeightsFile, weights.substr(0, weights.size() / 2));
    refuses(stopped.id, "bytes, its manifest says");
    std::string flipped = weights;
    flipped[flipped.size() - 3] ^= 1;
    spoil(kWeightsFile, flipped);
    refuses(stopped.id, "weights.safetensors is damaged: its SHA-256 is not the manifest's");
    mend();
    fs::rename(checkpoint / "rank0.safetensors", checkpoint / "x");
    fs::rename(checkpoint / "rank1.safetensors", checkpoint / "rank0.safetensors");
    fs::rename(checkpoint / "x", checkpoint / "rank1.safetensors");
    refuses(stopped.id, "rank0.safetensors");
    mend();
    fs::remove(checkpoint / "rank1.safetensors");
    refuses(stopped.id, "rank1.safetensors is missing");
    mend();
    fs::remove(checkpoint / "manifest.json");
    refuses(stopped.id, "manifest.json is missing");
    mend();
    const auto manifestWith = [&](const std::string& from, const std::string& to) {
        std::string text = readWhole(whole / "manifest.json");
        const auto at = text.find(from);
        ASSERT_NE(at, std::string::npos) << from;
        spoil("manifest.json", text.replace(at, from.size(), to));
    };
    manifestWith("\"version\": 1", "\"version\": 7");
    refuses(stopped.id, "has version 7, this program reads version 1");
    manifestWith("\"spec_hash\": \"", "\"spec_hash\": \"0");
    refuses(stopped.id, "is of another run or configuration");
    manifestWith("\"ranks\": 2", "\"ranks\": 3");
    refuses(stopped.id, "does not name the files of its ranks");
    EXPECT_EQ(RunReader(store()).run(stopped.id)->status, RunStatus::Stopped)
        << "a refusal changes nothing";
}

TEST_F(Resume, WithoutACheckpointTheRunBeginsAnew) {
    const RunSpec spec = quickSpec(2, 40);
    const RunRow straight = run(spec).run;
    const RunRow stopped = interrupted(spec, 4, /*kill=*/false);
    fs::remove_all(checkpointsOf(runFolder(store(), stopped.id)));
    const RunRow resumed = resume(stopped.id).run;
    RunReader reader(store());
    expectSameRun(reader, straight, resumed);
}

// A file where the folder should be stands for any disk that takes nothing.
TEST_F(Resume, ACheckpointThatCannotBeWrittenIsAnEventAndTrainingGoesOn) {
    RunRequest asked = request(quickSpec(2, 3));
    asked.id = "nospace";
    fs::create_directories(runFolder(store(), "nospace"));
    std::ofstream(checkpointsOf(runFolder(store(), "nospace"))) << "in the way";
    const RunOutcome outcome = superviseRun(asked, {});
    EXPECT_EQ(outcome.run.status, RunStatus::Done) << outcome.run.reason;
    const auto events = RunReader(store()).events("nospace");
    EXPECT_EQ(std::count_if(events.begin(), events.end(),
                            [](const auto& event) { return event.kind == "checkpoint-failed"; }),
              3);
}

TEST_F(Resume, ACheckpointOnRequestIsWrittenAtOnceAndDoesNotDisturb) {
    RunSpec spec = quickSpec(2, 80);
    spec.train["checkpoint_every_epochs"] = std::int64_t{0};
    const RunRow straight = run(spec).run;
    std::string id;
    std::atomic<bool> asked = false;
    RunObserver observer;
    observer.started = [&](const RunRow& row) { id = row.id; };
    observer.epoch = [&](const EpochRow&) {
        if (!asked.exchange(true)) {
            RunWriter(store()).requestControl(id, "checkpoint");
        }
    };
    const RunRow row = superviseRun(request(spec), observer).run;
    RunReader reader(store());
    expectSameRun(reader, straight, row);
    const auto events = reader.events(row.id);
    EXPECT_EQ(std::count_if(events.begin(), events.end(),
                            [](const auto& event) { return event.kind == "checkpoint"; }),
              1);
    EXPECT_EQ(listCheckpoints(runFolder(store(), row.id)).size(), 2U) << "that one and the last";
}

}  // namespace
}  // namespace concertina
