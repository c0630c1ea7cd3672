// SPDX-License-Identifier: Apache-2.0
// Verdict: how a run ended, and whose fault it was. Pure: the supervisor hands in what it saw. When
// one rank dies the others fail too, with collective errors that say nothing, so who is blamed
// matters.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "core/launch/rank_group.h"
#include "core/launch/stall_watch.h"
#include "core/store/records.h"

namespace concertina {

/// What concertina-rank's exit codes mean.
namespace rank_exit {
constexpr int kOk = 0, kBadSpec = 2, kStore = 3, kDiverged = 4, kPeerLost = 5;
}

/// Exit codes of a run; design.md §6.
namespace run_exit {
constexpr int kDone = 0, kUsage = 2, kStore = 3, kDiverged = 4, kRankLost = 5;
}

struct Verdict {
    RunStatus status = RunStatus::Failed;
    int exitCode = run_exit::kRankLost;
    int rank = -1;  // blamed, -1 for none
    std::string reason;
};

/// The exit to blame, nullptr when none failed: the first death by signal; else the first failure
/// that is not "lost a peer"; else the first. `exits` in the order they were seen.
const RankExit* culprit(std::span<const RankExit> exits);

/// The last lines a rank wrote.
using LastWords = std::function<std::string(int rank)>;

Verdict verdictOnExit(const RankExit& exit, const LastWords& lastWords);
Verdict verdictOnStall(const Stall& stall, const RankSight& sight, const LastWords& lastWords);

/// "SIGKILL", "signal 70" for one without a name.
std::string signalName(int signal);

}  // namespace concertina
