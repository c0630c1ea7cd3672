// SPDX-License-Identifier: Apache-2.0
#include "core/store/recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <SQLiteCpp/Database.h>

#include <filesystem>
#include <functional>
#include <thread>

#include "core/base/error.h"
#include "core/store/reader.h"
#include "core/store/writer.h"
#include "tests/support/store_folder.h"

namespace concertina {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using Clock = std::chrono::steady_clock;

constexpr const char* kId = "run000000001";

/// Time scaled down, so that outages of a fraction of a second are long.
RecorderOptions quick() {
    return {.batchInterval = milliseconds(10),
            .busyTimeout = milliseconds(10),
            .longestBackOff = milliseconds(40),
            .maxQueuedSteps = 100};
}

/// Polls until `done`; false after 20 s.
bool eventually(const std::function<bool()>& done) {
    const auto deadline = Clock::now() + std::chrono::seconds(20);
    while (!done()) {
        if (Clock::now() > deadline) {
            return false;
        }
        std::this_thread::sleep_for(milliseconds(5));
    }
    return true;
}

class RecorderTest : public testing::Test {
 protected:
    RecorderTest() { RunWriter(folder.file()).createRun(exampleRun(kId)); }

    StoreFolder folder;
};

/// A connection that lets nobody else in, as a careless external tool would.
class ExclusiveLock {
 public:
    explicit ExclusiveLock(const std::filesystem::path& file)
        : database_(file.string(), SQLite::OPEN_READWRITE, 1000) {
        database_.exec("BEGIN IMMEDIATE");
    }
    void release() { database_.exec("ROLLBACK"); }

 private:
    SQLite::Database database_;
};

TEST_F(RecorderTest, EverythingQueuedIsWrittenByClose) {
    Recorder recorder(folder.file(), kId);
    recorder.layers({{0, "conv1.weight", {6, 1, 5, 5}, true}});
    recorder.decisions({{0, 0, 0, Reason::Initial, {}, {}, -1, -1, {}, {}}});
    for (int step = 0; step < 1000; ++step) {
        recorder.step({step, step / 10, 0.5, step * 0.1});
    }
    recorder.epoch(exampleEpoch(0), {{0, 0, 1.5, 0, "rank 4", 1, 2, 3, 4, 5}});
    EventRow event;
    event.kind = "error-memory-reset";
    recorder.event(event);
    FinishRow finish;
    finish.weightsHash = "abc";
    recorder.finish(finish);
    recorder.close(std::chrono::seconds(5));
    EXPECT_EQ(recorder.droppedSteps(), 0);

    RunReader reader(folder.file());
    EXPECT_EQ(reader.layers(kId).size(), 1u);
    EXPECT_EQ(reader.steps(kId).size(), 1000u);
    EXPECT_EQ(reader.steps(kId).back().step, 999);
    EXPECT_EQ(reader.layerEpochs(kId).size(), 1u);
    EXPECT_EQ(reader.decisions(kId).size(), 1u);
    EXPECT_EQ(reader.run(kId)->epochsDone, 1);
    EXPECT_EQ(reader.run(kId)->mildShare, 1.0);
    EXPECT_EQ(reader.run(kId)->weightsHash, "abc");
    const auto events = reader.events(kId);
    ASSERT_EQ(events.size(), 2u);
    EXPECT_EQ(events[0].kind, "error-memory-reset");
    EXPECT_EQ(events[1].kind, "finished");
}

TEST_F(RecorderTest, RowsAppearWhileTheRunGoesOn) {
    Recorder recorder(folder.file(), kId, quick());
    RunReader reader(folder.file());
    const std::int64_t before = reader.dataVersion();
    recorder.step({0, 0, 0.5, 0.1});
    EXPECT_TRUE(eventually([&] { return reader.dataVersion() != before; }));
    EXPECT_EQ(reader.steps(kId).size(), 1u);
}

TEST_F(RecorderTest, ALockedStoreNeverBlocksTheCallerAndLosesOnlySteps) {
    ExclusiveLock lock(folder.file());
    Recorder recorder(folder.file(), kId, quick());
    for (int step = 0; step < 1000; ++step) {
        recorder.step({step, 0, 0.5, step * 0.1});
    }
    for (int epoch = 0; epoch < 50; ++epoch) {
        recorder.epoch(exampleEpoch(epoch), {{epoch, 0, 1.5, 0, "rank 4", 1, 2, 3, 4, 5}});
        recorder.decisions({{epoch, 0, 0, Reason::Stable, 1.0, 1.0, epoch, epoch - 1, 0.0, 0.5}});
    }
    std::this_thread::sleep_for(milliseconds(500));  // many attempts long
    EXPECT_GE(recorder.droppedSteps(), 800);         // room is for 100 being written and 100 queued
    {
        RunReader reader(folder.file());
        EXPECT_TRUE(reader.epochs(kId).empty());
    }
    lock.release();
    recorder.close(std::chrono::seconds(20));

    RunReader reader(folder.file());
    EXPECT_EQ(reader.epochs(kId).size(), 50u);
    EXPECT_EQ(reader.layerEpochs(kId).size(), 50u);
    EXPECT_EQ(reader.decisions(kId).size(), 50u);
    const std::int64_t dropped = recorder.droppedSteps();
    EXPECT_EQ(reader.run(kId)->droppedPoints, dropped);
    EXPECT_EQ(static_cast<std::int64_t>(reader.steps(kId).size()), 1000 - dropped);
    const auto events = reader.events(kId);
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].kind, "store-retry");
    EXPECT_THAT(events[0].message, HasSubstr("locked by another program"));
    EXPECT_THAT(events[0].message,
                HasSubstr(std::to_string(dropped) + " step points were dropped"));
}

TEST_F(RecorderTest, CloseGivesUpAfterItsPatienceAndSaysWhatWasLost) {
    ExclusiveLock lock(folder.file());
    Recorder recorder(folder.file(), kId, quick());
    recorder.epoch(exampleEpoch(0), {});
    try {
        recorder.close(milliseconds(50));
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Store);
        EXPECT_THAT(error.what(), HasSubstr("last rows could not be written"));
        EXPECT_THAT(error.what(), HasSubstr("locked by another program"));
    }
    EXPECT_NO_THROW(recorder.close(milliseconds(50)));
}

TEST_F(RecorderTest, StepsAloneMayBeLostAtTheEndWithoutAnError) {
    ExclusiveLock lock(folder.file());
    Recorder recorder(folder.file(), kId, quick());
    recorder.step({0, 0, 0.5, 0.1});
    EXPECT_NO_THROW(recorder.close(milliseconds(0)));
    EXPECT_EQ(recorder.droppedSteps(), 1);
}

TEST_F(RecorderTest, UseAfterCloseIsABug) {
    Recorder recorder(folder.file(), kId, quick());
    recorder.close(milliseconds(1000));
    EXPECT_THROW(recorder.step({0, 0, 0.5, 0.1}), std::logic_error);
}

TEST_F(RecorderTest, ADeletedStoreIsToldAndNotMadeAnew) {
    Recorder recorder(folder.file(), kId, quick());
    recorder.epoch(exampleEpoch(0), {});
    ASSERT_TRUE(eventually([&] { return RunReader(folder.file()).run(kId)->epochsDone == 1; }));
    for (const char* suffix : {"", "-wal", "-shm"}) {
        std::filesystem::remove(folder.file().string() + suffix);
    }
    recorder.epoch(exampleEpoch(1), {});
    try {
        recorder.close(milliseconds(50));
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("runs.sqlite is gone"));
    }
    EXPECT_FALSE(std::filesystem::exists(folder.file()));
}

TEST_F(RecorderTest, AnUnknownRunIsToldAtClose) {
    Recorder recorder(folder.file(), "nobody", quick());
    recorder.epoch(exampleEpoch(0), {});
    try {
        recorder.close(milliseconds(50));
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("has no run nobody"));
    }
}

}  // namespace
}  // namespace concertina
