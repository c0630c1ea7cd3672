// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/intervals.h"

#include <algorithm>
#include <tuple>

namespace concertina {

std::vector<HeldDecision> heldDecisions(std::span<const Decision> decisions, int epochs) {
    std::vector<const Decision*> sorted;
    for (const Decision& decision : decisions) {
        if (decision.epoch < epochs) {
            sorted.push_back(&decision);
        }
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const Decision* a, const Decision* b) {
        return std::tie(a->layer, a->epoch) < std::tie(b->layer, b->epoch);
    });
    std::vector<HeldDecision> held;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        const bool lastOfLayer = i + 1 == sorted.size() || sorted[i + 1]->layer != sorted[i]->layer;
        const int to = lastOfLayer ? epochs : sorted[i + 1]->epoch;
        if (to > sorted[i]->epoch) {  // else a later one of the same epoch wins
            held.push_back({sorted[i], {sorted[i]->epoch, to}});
        }
    }
    return held;
}

std::vector<LevelRun> levelRuns(std::span<const Decision> decisions, int epochs) {
    std::vector<LevelRun> runs;
    for (const HeldDecision& held : heldDecisions(decisions, epochs)) {
        const Decision& decision = *held.decision;
        if (!runs.empty() && runs.back().layer == decision.layer &&
            runs.back().level == decision.level && runs.back().reason == decision.reason) {
            runs.back().to = held.epochs.to;
        } else {
            runs.push_back({decision.layer, held.epochs.from, held.epochs.to, decision.level,
                            decision.reason});
        }
    }
    return runs;
}

std::vector<EpochInterval> criticalIntervals(std::span<const LevelRun> runs, int layer) {
    std::vector<EpochInterval> intervals;
    for (const LevelRun& run : runs) {
        if (run.layer != layer || run.reason != Reason::Critical) {
            continue;
        }
        if (!intervals.empty() && intervals.back().to == run.from) {
            intervals.back().to = run.to;  // critical at another level
        } else {
            intervals.push_back({run.from, run.to});
        }
    }
    return intervals;
}

std::vector<int> criticalCounts(std::span<const LevelRun> runs, int epochs) {
    std::vector<int> counts(static_cast<std::size_t>(std::max(epochs, 0)));
    for (const LevelRun& run : runs) {
        for (int epoch = run.from; epoch < std::min(run.to, epochs); ++epoch) {
            counts[static_cast<std::size_t>(epoch)] += run.reason == Reason::Critical ? 1 : 0;
        }
    }
    return counts;
}

}  // namespace concertina
