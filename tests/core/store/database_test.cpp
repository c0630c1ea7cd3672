// SPDX-License-Identifier: Apache-2.0
// The store under what really happens: several programs at once, a full disk, kill -9.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <SQLiteCpp/Database.h>

#include <atomic>
#include <cstdio>
#include <functional>
#include <thread>

#include "core/base/error.h"
#include "core/store/reader.h"
#include "core/store/recorder.h"
#include "core/store/writer.h"
#include "tests/support/store_folder.h"

namespace concertina {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr const char* kId = "run000000001";
constexpr int kLayers = 5;

RecorderOptions quick() {
    return {.batchInterval = milliseconds(5),
            .busyTimeout = milliseconds(250),
            .longestBackOff = milliseconds(40),
            .maxQueuedSteps = 100'000};
}

std::vector<LayerEpochRow> layersOf(int epoch) {
    std::vector<LayerEpochRow> rows;
    for (int layer = 0; layer < kLayers; ++layer) {
        rows.push_back({epoch, layer, 1.0, 0, "rank 4", 10, 20, 200, 5, 20});
    }
    return rows;
}

bool eventually(const std::function<bool()>& done) {
    const auto deadline = Clock::now() + std::chrono::seconds(60);
    while (!done()) {
        if (Clock::now() > deadline) {
            return false;
        }
        std::this_thread::sleep_for(milliseconds(5));
    }
    return true;
}

/// A child process whose exit code is what `work` returns, 99 after an exception. Nothing of the
/// test's own is run at its end.
pid_t startProcess(const std::function<int()>& work) {
    const pid_t child = ::fork();
    if (child == 0) {
        int code = 99;
        try {
            code = work();
        } catch (const std::exception& error) {
            std::fprintf(stderr, "child: %s\n", error.what());
        }
        ::_exit(code);
    }
    return child;
}

int exitCodeOf(pid_t child) {
    int status = 0;
    return ::waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int recordRun(const std::filesystem::path& file, const std::string& id, int epochs) {
    RunWriter writer(file, std::chrono::seconds(60));
    writer.createRun(exampleRun(id));
    Recorder recorder(file, id, quick());
    for (int epoch = 0; epoch < epochs; ++epoch) {
        for (int step = 0; step < 20; ++step) {
            recorder.step({epoch * 20 + step, epoch, 0.5, 0.1});
        }
        recorder.epoch(exampleEpoch(epoch), layersOf(epoch));
        writer.heartbeat(id);
    }
    recorder.close(std::chrono::seconds(60));
    return recorder.droppedSteps() == 0 ? 0 : 1;
}

TEST(Database, ProcessesMakeOneStoreTogetherAndLoseNothing) {
    StoreFolder folder;
    constexpr int kProcesses = 4, kEpochs = 25;
    std::vector<pid_t> children;
    for (int i = 0; i < kProcesses; ++i) {
        children.push_back(startProcess(
            [&] { return recordRun(folder.file(), "run00000000" + std::to_string(i), kEpochs); }));
    }
    // A reader meanwhile: it is never in the way and never sees half an epoch.
    std::atomic<bool> ended{false};
    std::thread watcher([&] {
        while (!ended) {
            std::this_thread::sleep_for(milliseconds(2));
            try {
                RunReader reader(folder.file());
                for (const RunRow& run : reader.runs()) {
                    const std::size_t epochs = reader.epochs(run.id).size();
                    EXPECT_GE(reader.layerEpochs(run.id).size(), epochs * kLayers);
                }
            } catch (const Error&) {
                // Not made yet.
            }
        }
    });
    for (const pid_t child : children) {
        EXPECT_EQ(exitCodeOf(child), 0);
    }
    ended = true;
    watcher.join();
    RunReader reader(folder.file());
    ASSERT_EQ(reader.runs().size(), static_cast<std::size_t>(kProcesses));
    for (const RunRow& run : reader.runs()) {
        EXPECT_EQ(run.epochsDone, kEpochs);
        EXPECT_EQ(run.wireBytes, 200.0 * kEpochs);
        EXPECT_EQ(reader.steps(run.id).size(), 20u * kEpochs);
        EXPECT_EQ(reader.layerEpochs(run.id).size(), std::size_t{kEpochs} * kLayers);
    }
}

TEST(Database, ThreadsShareAStoreToo) {
    StoreFolder folder;
    { RunWriter writer(folder.file()); }
    std::vector<std::thread> threads;
    std::atomic<int> failures{0};
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&, i] {
            try {
                failures += recordRun(folder.file(), "run00000000" + std::to_string(i), 10);
            } catch (const std::exception&) {
                ++failures;
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(failures, 0);
    for (const RunRow& run : RunReader(folder.file()).runs()) {
        EXPECT_EQ(run.epochsDone, 10);
    }
}

TEST(Database, AWriterThatCannotGetInSaysSoAndChangesNothing) {
    StoreFolder folder;
    RunWriter writer(folder.file(), milliseconds(20));
    writer.createRun(exampleRun(kId));
    SQLite::Database other(folder.file().string(), SQLite::OPEN_READWRITE);
    other.exec("BEGIN IMMEDIATE");
    try {
        writer.setStatus(kId, RunStatus::Running);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Store);
        EXPECT_NE(std::string(error.what()).find("locked by another program"), std::string::npos);
    }
    other.exec("ROLLBACK");
    EXPECT_EQ(RunReader(folder.file()).run(kId)->status, RunStatus::Queued);
    writer.setStatus(kId, RunStatus::Running);
    EXPECT_EQ(RunReader(folder.file()).run(kId)->status, RunStatus::Running);
}

/// Reads the run in a process that may not write to the folder, as another user's or a read-only
/// disk's. Returns the epochs it saw, 99 when it could not read.
int epochsSeenFromOutside(const std::filesystem::path& file) {
    std::filesystem::permissions(file.parent_path(), std::filesystem::perms(0555));
    const int seen = exitCodeOf(startProcess([&] {
        constexpr uid_t kNobody = 65534;
        if (::geteuid() == 0 && ::setuid(kNobody) != 0) {
            return 99;
        }
        RunReader reader(file);
        return static_cast<int>(reader.epochs(kId).size());
    }));
    std::filesystem::permissions(file.parent_path(), std::filesystem::perms(0755));
    return seen;
}

TEST(Database, CanBeReadWhereNothingCanBeWritten) {
    StoreFolder folder;
    for (const char* name : {"runs.sqlite", "what? 100 % #1.sqlite"}) {
        const std::filesystem::path file = folder.path() / name;
        ASSERT_EQ(recordRun(file, kId, 3), 0);
        EXPECT_EQ(epochsSeenFromOutside(file), 3) << name;
    }
}

TEST(Database, CanBeReadFromOutsideWhileItsOwnerWrites) {
    StoreFolder folder;
    ASSERT_EQ(recordRun(folder.file(), kId, 3), 0);
    RunWriter writer(folder.file());
    writer.addEpoch(kId, exampleEpoch(3), layersOf(3));  // is in the log only
    EXPECT_EQ(epochsSeenFromOutside(folder.file()), 4);
}

/// Files of this process may not grow beyond `bytes`, as on a full disk, until the object ends.
class FileSizeLimit {
 public:
    explicit FileSizeLimit(rlim_t bytes) {
        ::signal(SIGXFSZ, SIG_IGN);  // a write past the limit fails instead of killing
        ::getrlimit(RLIMIT_FSIZE, &before_);
        rlimit limit = before_;
        limit.rlim_cur = bytes;
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() { ::setrlimit(RLIMIT_FSIZE, &before_); }

 private:
    rlimit before_{};
};

TEST(Database, AFullDiskCostsNothingThatMustNotBeLost) {
    StoreFolder folder;
    RunWriter(folder.file()).createRun(exampleRun(kId));
    constexpr int kEpochs = 300;
    const pid_t child = startProcess([&] {
        Recorder recorder(folder.file(), kId, quick());
        {
            const FileSizeLimit full(100'000);
            for (int epoch = 0; epoch < kEpochs; ++epoch) {
                recorder.epoch(exampleEpoch(epoch), layersOf(epoch));
                std::this_thread::sleep_for(milliseconds(2));
            }
            std::this_thread::sleep_for(milliseconds(200));
            if (RunReader(folder.file()).run(kId)->epochsDone == kEpochs) {
                return 2;  // the disk was not full enough for this test
            }
        }
        recorder.close(std::chrono::seconds(60));
        return 0;
    });
    ASSERT_EQ(exitCodeOf(child), 0);
    RunReader reader(folder.file());
    EXPECT_EQ(reader.run(kId)->epochsDone, kEpochs);
    EXPECT_EQ(reader.layerEpochs(kId).size(), std::size_t{kEpochs} * kLayers);
    const auto events = reader.events(kId);
    ASSERT_FALSE(events.empty());
    EXPECT_EQ(events[0].kind, "store-retry");
    EXPECT_NE(events[0].message.find("disk"), std::string::npos) << events[0].message;
}

TEST(Database, AFullDiskIsToldWhenItStaysFull) {
    StoreFolder folder;
    RunWriter(folder.file()).createRun(exampleRun(kId));
    const pid_t child = startProcess([&] {
        const FileSizeLimit full(40'000);
        Recorder recorder(folder.file(), kId, quick());
        for (int epoch = 0; epoch < 2000; ++epoch) {
            recorder.epoch(exampleEpoch(epoch), layersOf(epoch));
        }
        try {
            recorder.close(milliseconds(100));
        } catch (const Error& error) {
            return error.kind() == ErrorKind::Store ? 0 : 1;
        }
        return 2;
    });
    EXPECT_EQ(exitCodeOf(child), 0);
    EXPECT_EQ(RunReader(folder.file()).runs().size(), 1u);
}

TEST(Database, KillAtAnyMomentLeavesWholeEpochs) {
    StoreFolder folder;
    RunWriter(folder.file()).createRun(exampleRun(kId));
    int begin = 0;
    for (int kill = 0; kill < 5; ++kill) {
        const pid_t child = startProcess([&]() -> int {
            Recorder recorder(folder.file(), kId, quick());
            for (int epoch = begin;; ++epoch) {
                recorder.epoch(exampleEpoch(epoch), layersOf(epoch));
                std::this_thread::sleep_for(std::chrono::microseconds(300));
            }
        });
        EXPECT_TRUE(eventually([&] {
            return static_cast<int>(RunReader(folder.file()).epochs(kId, begin).size()) > 20 + kill;
        }));
        ASSERT_EQ(::kill(child, SIGKILL), 0);
        ASSERT_EQ(exitCodeOf(child), -1);

        RunReader reader(folder.file());
        const auto epochs = reader.epochs(kId);
        for (std::size_t i = 0; i < epochs.size(); ++i) {
            ASSERT_EQ(epochs[i].epoch, static_cast<int>(i));
        }
        EXPECT_EQ(reader.layerEpochs(kId).size(), epochs.size() * kLayers);
        EXPECT_EQ(reader.run(kId)->epochsDone, static_cast<int>(epochs.size()));
        SQLite::Database database(folder.file().string(), SQLite::OPEN_READONLY, 1000);
        EXPECT_EQ(database.execAndGet("PRAGMA integrity_check").getString(), "ok");
        begin = static_cast<int>(epochs.size());
    }
}

}  // namespace
}  // namespace concertina
