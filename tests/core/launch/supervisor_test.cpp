// SPDX-License-Identifier: Apache-2.0
// The supervisor with real processes: tests/support/fake_rank.cpp stands for concertina-rank.
#include "core/launch/supervisor.h"

#include <SQLiteCpp/Database.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "core/base/error.h"
#include "core/store/reader.h"
#include "core/store/writer.h"
#include "tests/support/processes.h"
#include "tests/support/store_folder.h"

namespace concertina {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class SupervisorTest : public testing::Test {
 protected:
    RunRequest request(const std::string& id, int epochs = 3, int ranks = 2) const {
        RunRequest request;
        request.spec = defaultRunSpec();
        request.spec.name = "fake";
        request.spec.train["epochs"] = std::int64_t{epochs};
        request.spec.ranks["count"] = std::int64_t{ranks};
        request.id = id;
        request.store = folder_.file();
        request.rankProgram = std::string(CONCERTINA_BIN_DIR) + "/fake_rank";
        request.stallTimeout = std::chrono::seconds(1);
        return request;
    }
    RunOutcome supervise(const RunRequest& request) { return superviseRun(request, observer_); }
    /// Every rank's command line names the store.
    std::vector<int> ranksLeft() const { return processesMentioning(folder_.file().string()); }
    RunRow stored(const std::string& id) const { return RunReader(folder_.file()).run(id).value(); }
    void ask(const std::string& id, const std::string& verb) const {
        RunWriter(folder_.file()).requestControl(id, verb);
    }

    StoreFolder folder_;
    RunObserver observer_;
};

TEST_F(SupervisorTest, ARunThatEndsWellIsDone) {
    std::vector<int> epochs;
    std::vector<std::string> phases;
    int decisions = 0;
    int alerts = 0;
    std::string started;
    observer_.started = [&](const RunRow& run) { started = run.id; };
    observer_.epoch = [&](const EpochRow& row) { epochs.push_back(row.epoch); };
    observer_.decision = [&](const Decision&) { ++decisions; };
    observer_.alert = [&](const EventRow&) { ++alerts; };
    RunRequest wanted = request("one");
    wanted.study = "study";
    wanted.variant = "variant";
    const RunOutcome outcome = supervise(wanted);
    EXPECT_EQ(outcome.exitCode, 0);
    EXPECT_EQ(started, "one");
    EXPECT_THAT(epochs, ElementsAre(0, 1, 2));
    EXPECT_EQ(decisions, 3);
    EXPECT_EQ(alerts, 0);
    const RunRow row = stored("one");
    EXPECT_EQ(row.status, RunStatus::Done);
    EXPECT_EQ(row.reason, "");
    EXPECT_EQ(row.exitCode, 0);
    EXPECT_EQ(row.device + "/" + row.backend, "cpu/gloo");
    EXPECT_EQ(row.stepsPerEpoch, 4);
    EXPECT_EQ(row.epochsDone, 3);
    EXPECT_EQ(row.wireBytes, 1200);
    EXPECT_EQ(row.study + "/" + row.variant, "study/variant");
    EXPECT_EQ(row.weightsHash, "cafe");
    EXPECT_GT(row.startedMs, 0);
    EXPECT_GE(row.finishedMs, row.startedMs);
    EXPECT_EQ(row.supervisor, thisProcess());
    EXPECT_THAT(ranksLeft(), IsEmpty());
}

TEST_F(SupervisorTest, RanksGetTheResolvedSpecTheirThreadsAndALog) {
    RunRequest wanted = request("files", 1);
    wanted.spec.ranks["threads_per_rank"] = std::int64_t{3};
    supervise(wanted);
    const auto files = runFolder(folder_.file(), "files");
    const RunSpec used = runSpecFromJson(contentOf(files / "spec.json"));
    EXPECT_EQ(textOf(used.ranks, "device"), "cpu");
    EXPECT_EQ(textOf(used.ranks, "backend"), "gloo");
    EXPECT_EQ(textOf(runSpecFromJson(stored("files").specJson).ranks, "device"), "auto");
    EXPECT_THAT(contentOf(files / "rank0.log"), StartsWith("threads 3\n"));
    EXPECT_THAT(contentOf(files / "rank1.log"), StartsWith("threads 3\n"));
    EXPECT_EQ(stored("files").logFile, (files / "rank0.log").string());
}

TEST_F(SupervisorTest, OneRankWorks) {
    EXPECT_EQ(supervise(request("single", 2, 1)).run.status, RunStatus::Done);
}

struct DeathCase {
    const char* faults;
    const char* reason;
    int exitCode;
    RunStatus status;
};
std::ostream& operator<<(std::ostream& stream, const DeathCase& death) {
    return stream << death.faults;
}

class SupervisorDeathTest : public SupervisorTest, public testing::WithParamInterface<DeathCase> {};

TEST_P(SupervisorDeathTest, EndsTheRunNamesTheRankAndLeavesNoProcess) {
    const ScopedEnvironment faults("FAKE_RANK", GetParam().faults);
    const RunOutcome outcome = supervise(request("dead", 5, 3));
    EXPECT_EQ(outcome.exitCode, GetParam().exitCode);
    EXPECT_EQ(outcome.run.status, GetParam().status);
    EXPECT_THAT(outcome.run.reason, HasSubstr(GetParam().reason));
    EXPECT_EQ(stored("dead").reason, outcome.run.reason);
    EXPECT_EQ(stored("dead").exitCode, GetParam().exitCode);
    EXPECT_EQ(stored("dead").epochsDone, 1);  // the fault is in the second epoch
    EXPECT_THAT(ranksLeft(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Faults,
    SupervisorDeathTest,
    testing::Values(
        DeathCase{"1:kill@6", "rank 1 died by signal 9 (SIGKILL)", 5, RunStatus::Failed},
        DeathCase{"quiet,1:kill@6", "rank 1 died by signal 9 (SIGKILL)", 5, RunStatus::Failed},
        DeathCase{"2:segv@6", "rank 2 died by signal 11 (SIGSEGV); its last lines: threads", 5,
                  RunStatus::Failed},
        DeathCase{"0:exit77@6", "rank 0 ended with exit code 77", 5, RunStatus::Failed},
        DeathCase{"quiet,1:exit77@6", "rank 1 ended with exit code 77", 5, RunStatus::Failed},
        DeathCase{"1:exit2@6", "rank 1 refused the spec or its data", 2, RunStatus::Failed},
        DeathCase{"0:exit3@6", "rank 0 could not write the run store", 3, RunStatus::Failed},
        DeathCase{"0:exit4@6,1:exit4@6,2:exit4@6", "training diverged", 4, RunStatus::Diverged},
        DeathCase{"1:stall@6", "rank 1 stalled: no progress", 5, RunStatus::Failed},
        DeathCase{"1:stop@6", "its process is stopped; its last lines: threads", 5,
                  RunStatus::Failed}));

TEST_F(SupervisorTest, ControlRequestsAreObeyed) {
    const ScopedEnvironment slow("FAKE_RANK_STEP_MS", "20");
    for (const char* verb : {"stop", "stop-after-epoch"}) {
        const std::string id = std::string("by-") + verb;
        observer_.epoch = [&](const EpochRow& row) {
            if (row.epoch == 0) {
                ask(id, verb);
            }
        };
        const RunOutcome outcome = supervise(request(id, 1000));
        EXPECT_EQ(outcome.exitCode, 0) << verb;
        EXPECT_EQ(outcome.run.status, RunStatus::Stopped) << verb;
        EXPECT_THAT(outcome.run.reason, StartsWith("stopped on request after ")) << verb;
        EXPECT_GE(outcome.run.epochsDone, 1) << verb;
    }
    EXPECT_THAT(ranksLeft(), IsEmpty());
}

TEST_F(SupervisorTest, PauseStandsStillWithoutBeingTakenForAStall) {
    const ScopedEnvironment slow("FAKE_RANK_STEP_MS", "20");
    int pausedLooks = 0;
    observer_.epoch = [&](const EpochRow& row) {
        if (row.epoch == 0) {
            ask("paused", "pause");
        }
    };
    observer_.progress = [&](const RunProgress& progress) {
        if (progress.phase == "paused" && ++pausedLooks == 10) {  // twice the stall time-out
            EXPECT_EQ(stored("paused").status, RunStatus::Paused);
            ask("paused", "continue");
        }
    };
    const RunOutcome outcome = supervise(request("paused", 40));
    EXPECT_GE(pausedLooks, 10);
    EXPECT_EQ(outcome.run.status, RunStatus::Done);
    EXPECT_EQ(outcome.run.epochsDone, 40);
}

TEST_F(SupervisorTest, AnUnknownRequestIsRefusedInWords) {
    const ScopedEnvironment slow("FAKE_RANK_STEP_MS", "20");
    std::string told;
    observer_.epoch = [&](const EpochRow& row) {
        if (row.epoch == 0) {
            ask("unknown", "dance");
        }
    };
    observer_.alert = [&](const EventRow& event) { told = event.message; };
    EXPECT_EQ(supervise(request("unknown", 15)).run.status, RunStatus::Done);
    EXPECT_EQ(told, "request 'dance' cannot be met now and was ignored");
}

TEST_F(SupervisorTest, AnInterruptStopsAndStores) {
    const ScopedEnvironment slow("FAKE_RANK_STEP_MS", "20");
    volatile int signal = 0;
    observer_.epoch = [&](const EpochRow&) { signal = SIGTERM; };
    RunRequest wanted = request("interrupted", 1000);
    wanted.interruptSignal = &signal;
    const RunOutcome outcome = supervise(wanted);
    EXPECT_EQ(outcome.exitCode, 143);
    EXPECT_EQ(outcome.run.status, RunStatus::Stopped);
    EXPECT_THAT(outcome.run.reason, StartsWith("interrupted by SIGTERM after "));
    EXPECT_GE(outcome.run.epochsDone, 1);
    EXPECT_THAT(ranksLeft(), IsEmpty());
}

TEST_F(SupervisorTest, ASecondInterruptKillsAtOnce) {
    const ScopedEnvironment faults("FAKE_RANK", "0:stall@6");
    volatile int signal = 0;
    observer_.epoch = [&](const EpochRow&) { signal = -SIGINT; };
    RunRequest wanted = request("twice", 1000);
    wanted.interruptSignal = &signal;
    wanted.stallTimeout = std::chrono::hours(1);
    const RunOutcome outcome = supervise(wanted);
    EXPECT_EQ(outcome.exitCode, 130);
    EXPECT_EQ(outcome.run.status, RunStatus::Stopped);
    EXPECT_EQ(outcome.run.reason, "interrupted twice: ranks were killed at once");
    EXPECT_THAT(ranksLeft(), IsEmpty());
}

TEST_F(SupervisorTest, AKilledSupervisorTakesItsRanksAlongAndIsFoundLost) {
    RunWriter writer(folder_.file());
    const ScopedEnvironment slow("FAKE_RANK_STEP_MS", "20");
    const pid_t supervisor = ::fork();
    if (supervisor == 0) {
        superviseRun(request("lost", 100'000), {});
        ::_exit(0);
    }
    const auto running = [&] {
        const auto run = RunReader(folder_.file()).run("lost");
        return run && run->epochsDone > 0;
    };
    while (!running()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_EQ(ranksLeft().size(), 2u);
    EXPECT_THAT(writer.markLost(), IsEmpty());
    ::kill(supervisor, SIGKILL);
    ::waitpid(supervisor, nullptr, 0);
    while (!ranksLeft().empty()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_THAT(writer.markLost(), ElementsAre("lost"));
    EXPECT_EQ(stored("lost").status, RunStatus::Lost);
}

TEST_F(SupervisorTest, ALockedStoreDelaysRecordsButNotTheRun) {
    const ScopedEnvironment slow("FAKE_RANK_STEP_MS", "20");
    RunWriter(folder_.file());
    SQLite::Database other(folder_.file().string(), SQLite::OPEN_READWRITE);
    std::string told;
    std::int64_t stepWhenTold = -1;
    std::int64_t lastStep = 0;
    bool locked = true;
    observer_.started = [&](const RunRow&) { other.exec("BEGIN IMMEDIATE"); };
    observer_.progress = [&](const RunProgress& progress) {
        lastStep = progress.step;
        if (stepWhenTold >= 0 && progress.step > stepWhenTold + 8 && locked) {
            locked = false;  // training went on meanwhile
            other.exec("ROLLBACK");
        }
    };
    observer_.alert = [&](const EventRow& event) {
        told = event.kind + ": " + event.message;
        stepWhenTold = lastStep;
    };
    const RunOutcome outcome = supervise(request("locked", 50));
    EXPECT_THAT(told,
                StartsWith("store-retry: the run store cannot be written, training goes on: "));
    EXPECT_EQ(outcome.exitCode, 0) << outcome.run.reason;
    EXPECT_EQ(outcome.run.status, RunStatus::Done);
    EXPECT_EQ(outcome.run.epochsDone, 50);
    EXPECT_EQ(RunReader(folder_.file()).epochs("locked").size(), 50u);
}

TEST_F(SupervisorTest, AStoreThatStaysLockedIsExitThree) {
    const ScopedEnvironment impatient("FAKE_RANK_PATIENCE_MS", "200");
    RunWriter(folder_.file());
    SQLite::Database other(folder_.file().string(), SQLite::OPEN_READWRITE);
    observer_.started = [&](const RunRow&) { other.exec("BEGIN IMMEDIATE"); };
    RunRequest wanted = request("unwritten", 2);
    wanted.storePatience = std::chrono::milliseconds(200);
    const RunOutcome outcome = supervise(wanted);
    EXPECT_EQ(outcome.exitCode, 3);
    EXPECT_THAT(outcome.run.reason, StartsWith("the final status could not be stored: "));
    EXPECT_THAT(ranksLeft(), IsEmpty());
}

TEST_F(SupervisorTest, TwoRunsAtOnceShareOneStore) {
    RunStatus statuses[2] = {};
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 2; ++i) {
            threads.emplace_back([&, i] {
                statuses[i] = superviseRun(request("run" + std::to_string(i), 20), {}).run.status;
            });
        }
    }
    EXPECT_THAT(statuses, ElementsAre(RunStatus::Done, RunStatus::Done));
    EXPECT_EQ(stored("run0").epochsDone, 20);
    EXPECT_EQ(stored("run1").epochsDone, 20);
}

TEST_F(SupervisorTest, MissingDataIsRefusedBeforeARowIsWritten) {
    RunRequest wanted = request("refused");
    wanted.spec.data.options["path"] = std::string("/nonexistent/data");
    try {
        supervise(wanted);
        ADD_FAILURE() << "started";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Usage);
        EXPECT_THAT(error.what(), HasSubstr("/nonexistent/data"));
    }
    EXPECT_FALSE(std::filesystem::exists(folder_.file()));
}

TEST_F(SupervisorTest, AMissingEngineIsRefused) {
    RunRequest wanted = request("refused");
    wanted.rankProgram = "/nonexistent/concertina-rank";
    EXPECT_THAT(launchProblems(wanted.spec, wanted.rankProgram),
                ElementsAre(HasSubstr("/nonexistent/concertina-rank is missing or cannot be run")));
    EXPECT_THROW(supervise(wanted), Error);
}

TEST_F(SupervisorTest, AnIdThatLeadsOutOfTheFolderIsRefused) {
    try {
        supervise(request("../elsewhere"));
        ADD_FAILURE() << "started";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Usage);
        EXPECT_THAT(error.what(), HasSubstr("run id '../elsewhere'"));
    }
}

TEST_F(SupervisorTest, AStoreThatCannotBeWrittenStartsNothing) {
    RunRequest wanted = request("nowhere");
    wanted.store = folder_.path() / "folder.sqlite";
    std::filesystem::create_directory(wanted.store);
    try {
        supervise(wanted);
        ADD_FAILURE() << "started";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Store);
    }
    EXPECT_THAT(ranksLeft(), IsEmpty());
}

}  // namespace
}  // namespace concertina
