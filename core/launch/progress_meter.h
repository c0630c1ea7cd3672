// SPDX-License-Identifier: Apache-2.0
// ProgressMeter: turns looks at the board into a RunProgress with step rate and time to go. Pure:
// time is passed in.
#pragma once
#include <cstdint>
#include <deque>

#include "core/launch/rank_board.h"
#include "core/launch/supervisor.h"

namespace concertina {

class ProgressMeter {
 public:
    explicit ProgressMeter(int epochs) : epochs_(epochs) {}
    /// REQUIRES: `nowNs` does not go back. Numbers are of rank 0.
    RunProgress look(std::int64_t nowNs, const RankBoard& board);

 private:
    struct Mark {
        std::int64_t timeNs, step;
    };
    int epochs_;
    std::deque<Mark> recent_;  // of the last seconds: the step rate
    Mark first_{-1, 0};        // when the first step was seen: the time to go counts evaluations in
};

}  // namespace concertina
