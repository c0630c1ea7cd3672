// SPDX-License-Identifier: Apache-2.0
#include "core/policy/signal_history.h"

#include <string>

#include "core/base/check.h"

namespace concertina {

void SignalHistory::add(const EpochSignals& signals) {
    CONCERTINA_CHECK(signals.epoch == epochs(),
                     "epoch " + std::to_string(signals.epoch) + " out of order");
    entries_.push_back({{signals.norms.begin(), signals.norms.end()},
                        signals.learningRate,
                        signals.nextLearningRate});
}

EpochSignals SignalHistory::at(int epoch) const {
    const Entry& entry = entries_.at(static_cast<std::size_t>(epoch));
    return {.epoch = epoch,
            .norms = entry.norms,
            .learningRate = entry.learningRate,
            .nextLearningRate = entry.nextLearningRate};
}

std::vector<int> levelsAfter(Policy& policy, const SignalHistory& history, std::size_t layers) {
    std::vector<int> levels(layers, 0);
    const auto follow = [&levels](const std::vector<Decision>& decisions) {
        for (const Decision& decision : decisions) {
            levels.at(static_cast<std::size_t>(decision.layer)) = decision.level;
        }
    };
    follow(policy.start());
    for (int epoch = 0; epoch < history.epochs(); ++epoch) {
        follow(policy.endOfEpoch(history.at(epoch)));
    }
    return levels;
}

}  // namespace concertina
