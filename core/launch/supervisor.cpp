// SPDX-License-Identifier: Apache-2.0
#include "core/launch/supervisor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "core/base/error.h"
#include "core/launch/control_request.h"
#include "core/launch/launch_checks.h"
#include "core/launch/progress_meter.h"
#include "core/launch/rank_group.h"
#include "core/launch/resume_choice.h"
#include "core/launch/run_feed.h"
#include "core/launch/run_keeper.h"
#include "core/launch/run_setup.h"
#include "core/launch/stall_watch.h"
#include "core/launch/verdict.h"
#include "core/store/reader.h"
#include "core/store/writer.h"

namespace concertina {
namespace {

constexpr std::chrono::milliseconds kTick{20};
constexpr std::int64_t kProgressNs = 200'000'000;
constexpr std::int64_t kPollNs = 250'000'000;  // control requests, recorded rows, stalls
constexpr std::int64_t kBeatNs = 1'000'000'000;
constexpr std::int64_t kGraceNs =
    1'000'000'000;  // after a failed exit, for the one that caused it to show

int coreCount() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

/// True once every `periodNs`.
bool due(std::int64_t now, std::int64_t periodNs, std::int64_t& last) {
    if (now - last < periodNs) {
        return false;
    }
    last = now;
    return true;
}

/// How long ranks may take to write down what they recorded, once another rank has failed.
constexpr std::chrono::milliseconds kFarewell{1500};

/// How long the store is waited for by somebody who interrupted twice.
constexpr std::chrono::milliseconds kHurry{1000};

std::optional<ResumePoint> pointOf(const std::optional<ResumeChoice>& resume) {
    return resume ? std::optional(resume->point) : std::nullopt;
}

/// One run from its row to its end.
class RunLoop {
 public:
    RunLoop(const RunRequest& request,
            const RunSpec& resolved,
            const RunRow& row,
            const RunObserver& observer,
            const std::optional<ResumeChoice>& resume = std::nullopt)
        : request_(request),
          observer_(observer),
          spec_(resolved),
          row_(row),
          resume_(resume),
          folder_(runFolder(request.store, row_.id)),
          board_(RankBoard::create()),
          keeper_(request.store, row_, pointOf(resume)),
          feed_(request.store, row_.id, observer),
          meter_(row_.epochsPlanned),
          stalls_(request.stallTimeout) {}

    RunOutcome run();

 private:
    void startRanks();
    Verdict watchToTheEnd();
    std::optional<Verdict> lookAtProcesses(std::int64_t now);
    std::optional<Verdict> lookForStall(std::int64_t now);
    std::optional<Verdict> lookForInterrupt();
    void report(std::int64_t now);
    void obey(const std::string& verb);
    void command(Command command, RunStatus status);
    void warn(const std::string& kind, const std::string& message);
    void reportStoreTrouble();
    std::vector<RankSight> sights() const;
    Verdict verdictOnFailure(std::int64_t now) const;
    Verdict verdictOnQuietEnd() const;
    RunRow recorded() const;
    RunOutcome conclude(Verdict verdict);
    int interruptSignal() const {
        return request_.interruptSignal != nullptr ? *request_.interruptSignal : 0;
    }
    LastWords lastWords() const {
        return [this](int rank) { return ranks_.lastWords(rank); };
    }

    const RunRequest& request_;
    const RunObserver& observer_;
    const RunSpec spec_;
    RunRow row_;
    const std::optional<ResumeChoice> resume_;
    const std::filesystem::path folder_;
    std::filesystem::path rendezvous_;
    RankBoard board_;
    RunKeeper keeper_;
    RunFeed feed_;
    ProgressMeter meter_;
    StallWatch stalls_;
    RankGroup ranks_;
    std::vector<RankExit> exits_;
    std::int64_t firstFailureNs_ = 0, progressNs_ = 0, pollNs_ = 0, beatNs_ = 0;
    int interruptedBy_ = 0;
    bool planKnown_ = false, troubleTold_ = false;
    RunStatus status_ = RunStatus::Running;
};

void RunLoop::warn(const std::string& kind, const std::string& message) {
    EventRow event;
    event.kind = kind;
    event.message = message;
    keeper_.event(event);
}

void RunLoop::startRanks() {
    std::filesystem::create_directories(folder_);
    const std::filesystem::path specFile = folder_ / "spec.json";
    writeTextFile(specFile, toJson(spec_));
    // Fresh for each attempt: a FileStore that another attempt used makes ranks join the dead.
    rendezvous_ = folder_ / ("rendezvous-" + newRunId());
    const int threads = threadsPerRank(spec_, coreCount());
    if (row_.ranks > coreCount() && row_.device == "cpu") {
        warn("few-cores",
             fmt::format("{} ranks share {} cores: step times say nothing about {} machines",
                         row_.ranks, coreCount(), row_.ranks));
    }
    if (resume_) {
        feed_.skipPresent();
        warn("resumed", resume_->sentence);
    }
    const auto checkpoint = resume_ ? resume_->checkpoint : std::filesystem::path();
    for (int rank = 0; rank < row_.ranks; ++rank) {
        SpawnRequest spawn{
            .arguments = rankArguments(request_, row_,
                                       {specFile, rendezvous_, rank, board_.fd(), checkpoint})};
        spawn.environment = {{"OMP_NUM_THREADS", std::to_string(threads)}};
        spawn.keepFd = board_.fd();
        ranks_.spawn(spawn, folder_ / fmt::format("rank{}.log", rank));
    }
    keeper_.status(RunStatus::Running);
    row_.status = RunStatus::Running;
    row_.startedMs = row_.startedMs > 0 ? row_.startedMs : unixNowMs();
    if (observer_.started) {
        observer_.started(row_);
    }
}

std::vector<RankSight> RunLoop::sights() const {
    std::vector<RankSight> sights;
    for (int rank = 0; rank < row_.ranks; ++rank) {
        sights.push_back(sightOf(board_.rank(rank)));
        sights.back().alive = ranks_.isAlive(rank);
        sights.back().stopped = ranks_.stateOf(rank) == 'T';
    }
    return sights;
}

Verdict RunLoop::verdictOnFailure(std::int64_t now) const {
    const RankExit* blamed = culprit(exits_);
    // "Lost a peer" of all that ended, while one still sits there: that one did not come.
    if (!blamed->end.bySignal && blamed->end.code == rank_exit::kPeerLost && ranks_.anyAlive()) {
        const std::vector<RankSight> seen = sights();
        const int lagging = laggingRank(seen);
        return verdictOnStall({lagging, stalls_.silentSeconds(now)}, seen[lagging], lastWords());
    }
    return verdictOnExit(*blamed, lastWords());
}

std::optional<Verdict> RunLoop::lookAtProcesses(std::int64_t now) {
    bool bySignal = false;
    for (const RankExit& exit : ranks_.collect()) {
        exits_.push_back(exit);
        bySignal = bySignal || exit.end.bySignal;
        if (exit.failed() && firstFailureNs_ == 0) {
            firstFailureNs_ = now;
        }
    }
    const bool settled = bySignal || !ranks_.anyAlive() || now - firstFailureNs_ > kGraceNs;
    if (firstFailureNs_ != 0 && settled) {
        return verdictOnFailure(now);
    }
    if (!ranks_.anyAlive()) {
        return verdictOnQuietEnd();
    }
    return std::nullopt;
}

std::optional<Verdict> RunLoop::lookForStall(std::int64_t now) {
    if (status_ == RunStatus::Paused) {
        stalls_.forgive(now);
        return std::nullopt;
    }
    const std::vector<RankSight> seen = sights();
    if (const auto stall = stalls_.look(now, seen)) {
        return verdictOnStall(*stall, seen[stall->rank], lastWords());
    }
    return std::nullopt;
}

std::optional<Verdict> RunLoop::lookForInterrupt() {
    const int signal = interruptSignal();
    if (signal == 0) {
        return std::nullopt;
    }
    if (interruptedBy_ == 0) {
        interruptedBy_ = std::abs(signal);
        command(Command::Stop, RunStatus::Running);
    }
    if (signal < 0) {
        return Verdict{RunStatus::Stopped, 128 + interruptedBy_, -1,
                       "interrupted twice: ranks were killed at once"};
    }
    return std::nullopt;
}

Verdict RunLoop::verdictOnQuietEnd() const {
    const int epochsDone = recorded().epochsDone;
    if (epochsDone >= row_.epochsPlanned) {
        return {RunStatus::Done, run_exit::kDone, -1, ""};
    }
    const std::string where = fmt::format("after {} of {} epochs", epochsDone, row_.epochsPlanned);
    if (interruptedBy_ != 0) {
        return {RunStatus::Stopped, 128 + interruptedBy_, -1,
                fmt::format("interrupted by {} {}", signalName(interruptedBy_), where)};
    }
    const Command asked = board_->command.load();
    if (asked == Command::Stop || asked == Command::StopAfterEpoch) {
        return {RunStatus::Stopped, run_exit::kDone, -1, "stopped on request " + where};
    }
    return {RunStatus::Failed, run_exit::kRankLost, -1,
            "the ranks ended " + where + " without a reason"};
}

void RunLoop::command(Command command, RunStatus status) {
    board_->command = command;
    if (status_ != status) {
        status_ = status;
        keeper_.status(status);
    }
}

void RunLoop::obey(const std::string& verb) {
    const Command asked = board_->command.load();
    const bool stopping = asked == Command::Stop || asked == Command::StopAfterEpoch;
    if (const auto effect = effectOf(verb, asked)) {
        command(effect->command, effect->status);
    } else if (verb == "checkpoint" && asked == Command::None) {
        command(Command::Checkpoint, RunStatus::Running);
    } else if (!stopping) {  // a run that stops writes a checkpoint anyway
        warn("control", "request '" + verb + "' cannot be met now and was ignored");
    }
}

void RunLoop::reportStoreTrouble() {
    if (!keeper_.trouble()) {
        troubleTold_ = false;
    } else if (!troubleTold_) {
        troubleTold_ = true;
        EventRow event;
        event.timeMs = unixNowMs();
        event.kind = "store-retry";
        event.message = "the run store cannot be written, training goes on: " + *keeper_.trouble();
        if (observer_.alert) {
            observer_.alert(event);
        }
    }
}

void RunLoop::report(std::int64_t now) {
    if (due(now, kProgressNs, progressNs_) && observer_.progress) {
        RunProgress progress = meter_.look(now, board_);
        if (status_ == RunStatus::Paused) {
            progress.phase = "paused";
        }
        observer_.progress(progress);
    }
    if (const int steps = board_->stepsPerEpoch.load(); steps > 0 && !planKnown_) {
        planKnown_ = true;
        keeper_.plan(row_.device, row_.backend, steps);
    }
    if (due(now, kBeatNs, beatNs_)) {
        keeper_.beat();
        reportStoreTrouble();
    }
}

Verdict RunLoop::watchToTheEnd() {
    for (;;) {
        const std::int64_t now = steadyNowNs();
        if (auto verdict = lookAtProcesses(now)) {
            return *verdict;
        }
        if (auto verdict = lookForInterrupt()) {
            return *verdict;
        }
        if (due(now, kPollNs, pollNs_)) {
            if (auto verdict = lookForStall(now)) {
                return *verdict;
            }
            for (const std::string& verb : keeper_.control()) {
                obey(verb);
            }
            feed_.poll();
        }
        report(now);
        std::this_thread::sleep_for(kTick);
    }
}

/// The row as it is now; as it was created while the store cannot be read.
RunRow RunLoop::recorded() const {
    try {
        return RunReader(request_.store).run(row_.id).value_or(row_);
    } catch (const Error&) {
        return row_;
    }
}

RunOutcome RunLoop::conclude(Verdict verdict) {
    if (verdict.status == RunStatus::Diverged && !recorded().reason.empty()) {
        verdict.reason = recorded().reason;  // rank 0 wrote down which rank and layer it was
    } else if (verdict.rank >= 0) {
        EventRow event;
        event.kind = "rank-lost";
        event.rank = verdict.rank;
        event.message = verdict.reason;
        keeper_.event(event);
    }
    feed_.poll();
    const auto patience = interruptSignal() < 0 ? kHurry : request_.storePatience;
    const bool stored = keeper_.finish(verdict.status, verdict.reason, verdict.exitCode, patience);
    RunOutcome outcome{.run = recorded(), .exitCode = stored ? verdict.exitCode : run_exit::kStore};
    if (!stored) {
        outcome.run.status = verdict.status;
        outcome.run.reason =
            "the final status could not be stored: " + keeper_.trouble().value_or("");
    }
    return outcome;
}

RunOutcome RunLoop::run() {
    Verdict verdict;
    try {
        startRanks();
        verdict = watchToTheEnd();
    } catch (const std::exception& error) {
        verdict.reason = error.what();
    }
    if (verdict.rank >= 0 && !ranks_.isAlive(verdict.rank)) {
        ranks_.awaitEnd(kFarewell);
    }
    ranks_.killAll();
    std::error_code ignored;
    std::filesystem::remove(rendezvous_, ignored);
    return conclude(verdict);
}

}  // namespace

RunOutcome superviseRun(const RunRequest& request, const RunObserver& observer) {
    requireLaunchable(request.spec, request.rankProgram);
    const RunSpec resolved = resolveMachine(request.spec, request.rankProgram);
    return RunLoop(request, resolved, rowOf(request, resolved), observer).run();
}

RunOutcome resumeRun(RunRequest request, const RunObserver& observer) {
    RunRow row = RunReader(request.store).findRun(request.id);
    request.id = row.id;
    request.spec = runSpecFromJson(row.specJson);
    requireLaunchable(request.spec, request.rankProgram);
    const RunSpec resolved = resolveMachine(request.spec, request.rankProgram);
    const ResumeChoice choice =
        chooseResumePoint(row, specHash(resolved), runFolder(request.store, row.id));
    row.supervisor = thisProcess();
    row.reason.clear();
    return RunLoop(request, resolved, row, observer, choice).run();
}

}  // namespace concertina
