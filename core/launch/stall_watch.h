// SPDX-License-Identifier: Apache-2.0
// StallWatch: decides from what ranks publish whether one of them stands still, and which. A
// stalled rank shows nothing but its counters: the others wait for it inside a collective that it
// has not entered. Pure: time is passed in. Used by the supervisor on its own thread.
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/launch/rank_board.h"

namespace concertina {

/// One look at one rank.
struct RankSight {
    bool alive = true;
    bool stopped = false;  // the process is stopped (SIGSTOP, a debugger)
    RankPhase phase = RankPhase::Starting;
    std::int64_t step = 0, collectivesEntered = 0, collectivesFinished = 0;
    bool operator==(const RankSight&) const = default;
};
RankSight sightOf(const RankSlot& slot);

struct Stall {
    int rank;
    double silentSeconds;
};

class StallWatch {
 public:
    explicit StallWatch(std::chrono::milliseconds timeout)
        : timeoutNs_(std::chrono::nanoseconds(timeout).count()) {}

    /// The rank to blame once no rank has moved for too long. While every rank trains that is the
    /// timeout, or four times the longest pause seen between two steps, whichever is more; in other
    /// phases fifteen time-outs, because loading and evaluating move no counter. A stopped process
    /// is blamed after one timeout in any phase.
    std::optional<Stall> look(std::int64_t nowNs, std::span<const RankSight> ranks);
    /// Nobody was watching, or standing still was asked for (pause): start measuring anew.
    void forgive(std::int64_t nowNs);
    /// Since when no rank has moved.
    double silentSeconds(std::int64_t nowNs) const {
        return static_cast<double>(nowNs - lastMoveNs_) * 1e-9;
    }

 private:
    std::int64_t limitNs(std::span<const RankSight> ranks) const;

    std::int64_t timeoutNs_;
    std::int64_t lastLookNs_ = -1, lastMoveNs_ = 0, longestPauseNs_ = 0;
    std::vector<RankSight> last_;
    std::vector<std::int64_t> stoppedSinceNs_;  // per rank; -1 while it is not stopped
};

/// The rank that holds the others up: among the living, the fewest collectives entered, then
/// finished, then steps.
int laggingRank(std::span<const RankSight> ranks);

}  // namespace concertina
