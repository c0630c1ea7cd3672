// SPDX-License-Identifier: Apache-2.0
#include "core/launch/verdict.h"

#include <fmt/format.h>
#include <signal.h>
#include <string.h>

namespace concertina {
namespace {

std::string quoted(const std::string& words) {
    return words.empty() ? std::string() : "; its last lines: " + words;
}

std::string deathBySignal(int rank, int signal) {
    std::string sentence =
        fmt::format("rank {} died by signal {} ({})", rank, signal, signalName(signal));
    if (signal == SIGKILL) {
        sentence += ", which somebody sent or the kernel for want of memory";
    }
    return sentence;
}

}  // namespace

std::string signalName(int signal) {
    const char* abbreviation = ::sigabbrev_np(signal);
    return abbreviation != nullptr ? std::string("SIG") + abbreviation
                                   : fmt::format("signal {}", signal);
}

const RankExit* culprit(std::span<const RankExit> exits) {
    const RankExit* first = nullptr;
    const RankExit* firstOfItself = nullptr;
    for (const RankExit& exit : exits) {
        if (exit.end.bySignal) {
            return &exit;
        }
        if (exit.failed()) {
            first = first != nullptr ? first : &exit;
            if (exit.end.code != rank_exit::kPeerLost && firstOfItself == nullptr) {
                firstOfItself = &exit;
            }
        }
    }
    return firstOfItself != nullptr ? firstOfItself : first;
}

Verdict verdictOnExit(const RankExit& exit, const LastWords& lastWords) {
    const std::string words = lastWords(exit.rank);
    if (exit.end.bySignal) {
        return {RunStatus::Failed, run_exit::kRankLost, exit.rank,
                deathBySignal(exit.rank, exit.end.code) + quoted(words)};
    }
    const std::string who = fmt::format("rank {}", exit.rank);
    switch (exit.end.code) {
        case rank_exit::kBadSpec:
            return {RunStatus::Failed, run_exit::kUsage, exit.rank,
                    who + " refused the spec or its data" + quoted(words)};
        case rank_exit::kStore:
            return {RunStatus::Failed, run_exit::kStore, exit.rank,
                    who + " could not write the run store" + quoted(words)};
        case rank_exit::kDiverged:
            return {RunStatus::Diverged, run_exit::kDiverged, exit.rank,
                    "training diverged" + quoted(words)};
        case rank_exit::kPeerLost:
            return {RunStatus::Failed, run_exit::kRankLost, exit.rank,
                    who + " lost the others" + quoted(words)};
        default:
            return {RunStatus::Failed, run_exit::kRankLost, exit.rank,
                    fmt::format("{} ended with exit code {}", who, exit.end.code) + quoted(words)};
    }
}

Verdict verdictOnStall(const Stall& stall, const RankSight& sight, const LastWords& lastWords) {
    std::string reason =
        fmt::format("rank {} stalled: no progress for {:.0f} s in phase {} at step {}", stall.rank,
                    stall.silentSeconds, toText(sight.phase), sight.step);
    reason += sight.stopped ? ", its process is stopped" : "";
    return {RunStatus::Failed, run_exit::kRankLost, stall.rank,
            reason + quoted(lastWords(stall.rank))};
}

}  // namespace concertina
