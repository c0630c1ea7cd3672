// SPDX-License-Identifier: Apache-2.0
// The one small all-reduce per step by which all ranks act alike: what the supervisor asked for,
// and whether a gradient was not finite somewhere. It comes before error memory and optimizer
// commit. Training thread.
#pragma once
#include <optional>

#include "core/comm/collectives.h"
#include "core/launch/rank_board.h"

namespace concertina {

struct NonFinitePlace {
    int rank = 0;
    std::optional<int> layer;  // absent: the loss itself
};

struct Agreement {
    Command command = Command::None;
    std::optional<NonFinitePlace> nonFinite;
};

/// What this rank has to say. Ranks may see a command one step apart; the all-reduce takes the
/// largest, so none acts before the others.
struct StepVote {
    Command command = Command::None;
    bool lossFinite = true;
    std::optional<int> nonFiniteLayer;
};

Agreement agree(const StepVote& vote, int rank, Collectives& control);

}  // namespace concertina
