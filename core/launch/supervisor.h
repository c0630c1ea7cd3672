// SPDX-License-Identifier: Apache-2.0
// Supervisor: runs one spec to its end. Checks data and machine, creates the run's row, spawns the
// ranks, watches them (death, stall), passes control requests on, keeps status and heartbeat, and
// leaves no process behind. Blocks the calling thread, which must live as long as the run
// (PR_SET_PDEATHSIG follows the spawning thread).
#pragma once
#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/base/process_identity.h"
#include "core/spec/run_spec.h"
#include "core/store/records.h"

namespace concertina {

/// Where a run is between two polls; for progress bars and `run --json`.
struct RunProgress {
    int epoch = 0, epochs = 0;
    std::int64_t step = 0, stepsPerEpoch = 0;
    double loss = 0;
    double stepsPerSecond = 0;
    double etaSeconds = 0;  // < 0 while unknown
    double wireBytes = 0, denseFp32WireBytes = 0;
    std::string phase;  // "joining", "training", "evaluating", ...
};

/// Told from the supervising thread; each may be empty.
struct RunObserver {
    std::function<void(const RunRow&)> started;
    std::function<void(const RunProgress&)> progress;  // about 5 times a second
    std::function<void(const EpochRow&)> epoch;
    std::function<void(const Decision&)> decision;
    std::function<void(const EventRow&)> alert;
};

struct RunRequest {
    RunSpec spec;
    std::string id{};  // empty: a new one
    std::filesystem::path store;
    std::filesystem::path rankProgram;  // concertina-rank, beside this executable
    std::string study{}, variant{};
    std::chrono::milliseconds stallTimeout = std::chrono::seconds(20);
    std::chrono::milliseconds storePatience = std::chrono::seconds(30);  // for the final status
    // Set by a signal handler to SIGINT or SIGTERM: stop, store, exit. Made negative by a second
    // one: kill now.
    const volatile int* interruptSignal = nullptr;
};

struct RunOutcome {
    RunRow run;  // as stored at the end
    // 0 done or stopped on request, 2 refused by a rank, 3 store, 4 diverged, 5 rank lost, 130/143
    // interrupted
    int exitCode = 0;
};

/// Runs to the end. Throws Error(Usage) before any row is written when the data or the machine
/// cannot do it; what goes wrong later is in the outcome and in the store.
RunOutcome superviseRun(const RunRequest& request, const RunObserver& observer);

/// Goes on with run `request.id` of the store from its latest checkpoint that is whole, or from the
/// start where it has none yet; the spec is the one it was started with. Throws Error(Usage) for a
/// run that is active or done, and when there are checkpoints but none that can be used.
RunOutcome resumeRun(RunRequest request, const RunObserver& observer);

/// $CONCERTINA_RANK_PROGRAM, else concertina-rank beside this executable.
std::filesystem::path defaultRankProgram();

/// Everything that would make superviseRun refuse: data files, ranks and device, one sentence each.
std::vector<std::string> launchProblems(
    const RunSpec& spec, const std::filesystem::path& rankProgram = defaultRankProgram());

}  // namespace concertina
