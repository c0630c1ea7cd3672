// SPDX-License-Identifier: Apache-2.0
// "What if eta were 0.3": a policy runs again over the norms and learning rates that a run
// recorded. It is the same code that decided in the run. Nothing is trained again: from the first
// level that differs on, the norms are those of another trajectory, and whoever shows a replay must
// say so. Used by `concertina replay`. Pure functions, any thread.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/explain.h"
#include "core/analysis/intervals.h"
#include "core/analysis/totals.h"
#include "core/catalogue/catalogue.h"

namespace concertina {

/// Epochs in a row in which a layer would have trained at another level than it did.
struct LevelDifference {
    int layer;
    EpochInterval epochs;
    int recordedLevel, replayedLevel;
    std::optional<Reason> recordedReason;  // absent where the decision was not recorded
    Decision decision;                     // the replay's that holds in the first of these epochs
};

/// What a layer, or all of them, did in the replayed epochs and would have done. Bytes are gradient
/// bytes of one rank, in the replay's basis.
struct ReplayTotals {
    int levelEpochs = 0;  // layer-epochs to which a level applies
    int recordedMildEpochs = 0, replayedMildEpochs = 0;
    double recordedBytes = 0, replayedBytes = 0;
};

struct Replay {
    int epochs = 0;  // from 0 on, all that were recorded without a gap
    ByteBasis basis = ByteBasis::Wire;
    std::vector<Decision> decisions;           // in epochs that were replayed
    std::vector<ReplayTotals> layers;          // by layer
    ReplayTotals total;                        // of all layers, also of those that travel dense
    std::vector<LevelDifference> differences;  // by epoch, then layer
    /// The first epoch at another level: up to it everything is exact.
    std::optional<int> firstDifference() const;
};

/// Why the policy cannot be replayed ("... needs ..., which runs do not record"); empty when it
/// can.
std::string whyNotReplayable(const PolicyDescriptor& policy);

/// The spec with Accordion as its policy: with the spec's own keys where it is Accordion already,
/// with the defaults otherwise, and in both cases with `changes`. Throws Error(Usage) naming key,
/// what was found and what is allowed.
RunSpec withAccordion(RunSpec spec, const Settings& changes);

/// Runs `spec.policy` over what was recorded. Bytes at a level that a layer did not train at are
/// the recorded ones of the mildest and the strongest level, else the catalogue's plan. Throws
/// Error(Usage) when the policy cannot be replayed, or no epoch was recorded.
/// REQUIRES: `spec` has the levels of the run.
Replay replayRun(const RunSpec& spec, const RecordedRun& run);

}  // namespace concertina
