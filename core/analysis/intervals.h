// SPDX-License-Identifier: Apache-2.0
// Which level a layer had when, and when it was critical, from recorded decisions. The level map,
// the strip of critical layers, the shading of curves and `concertina show` use it. Intervals are
// half open, [from, to), in epochs counted from 0. Pure functions, any thread.
#pragma once
#include <span>
#include <vector>

#include "core/policy/policy.h"

namespace concertina {

struct EpochInterval {
    int from, to;
    bool operator==(const EpochInterval&) const = default;
};

/// Epochs in a row that one layer trained at one level for one reason.
struct LevelRun {
    int layer;
    int from, to;
    int level;
    Reason reason;
    bool operator==(const LevelRun&) const = default;
};

/// How long each decision held: until the layer's next one, at most to `epochs` (the number that
/// count). Of several in one epoch the last wins, as in the policy. By layer, then epoch; decisions
/// from `epochs` on are left out.
struct HeldDecision {
    const Decision* decision;  // into the span that was given
    EpochInterval epochs;
};
std::vector<HeldDecision> heldDecisions(std::span<const Decision> decisions, int epochs);

/// The same with neighbours of equal level and reason joined.
std::vector<LevelRun> levelRuns(std::span<const Decision> decisions, int epochs);

/// When `layer` was critical: reason `critical` only, for mild can have other reasons.
std::vector<EpochInterval> criticalIntervals(std::span<const LevelRun> runs, int layer);

/// Per epoch, how many layers were critical; `epochs` long.
std::vector<int> criticalCounts(std::span<const LevelRun> runs, int epochs);

}  // namespace concertina
