// SPDX-License-Identifier: Apache-2.0
// Policies as their tests make them, and what a run of one layer would look like.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/catalogue/catalogue.h"
#include "core/catalogue/check.h"
#include "core/policy/policy.h"

namespace concertina {

/// A spec of `levels` levels with this policy, at its defaults but for `changes`.
inline RunSpec specWithPolicy(const std::string& name,
                              const Settings& changes = {},
                              std::size_t levels = 2) {
    RunSpec spec;
    spec.levels.resize(levels);
    spec.policy.name = name;
    if (const PolicyDescriptor* descriptor = findPolicy(name)) {
        spec.policy.options = defaultsOf(descriptor->parameters);
    }
    for (const auto& [key, value] : changes) {
        spec.policy.options[key] = value;
    }
    return spec;
}

/// For layers "layer0", "layer1", ...
inline std::unique_ptr<Policy> policyOf(const RunSpec& spec,
                                        const std::vector<bool>& compressible = {true}) {
    std::vector<PolicyLayer> layers;
    for (const bool one : compressible) {
        layers.push_back({"layer" + std::to_string(layers.size()), one});
    }
    return makePolicy(spec, std::move(layers));
}

inline EpochSignals signalsOf(int epoch,
                              const std::vector<double>& norms,
                              double rate = 0.1,
                              double nextRate = 0.1) {
    return {.epoch = epoch, .norms = norms, .learningRate = rate, .nextLearningRate = nextRate};
}

/// The level of each epoch of a run with one layer, given its norm and the learning rate by epoch.
inline std::vector<int> timelineOf(
    const RunSpec& spec,
    int epochs,
    const std::function<double(int)>& rate,
    const std::function<double(int)>& norm = [](int /*epoch*/) { return 1.0; }) {
    const auto policy = policyOf(spec);
    int level = policy->start().at(0).level;
    std::vector<int> levels;
    for (int epoch = 0; epoch < epochs; ++epoch) {
        levels.push_back(level);
        const std::vector<double> norms{norm(epoch)};
        for (const Decision& decision :
             policy->endOfEpoch(signalsOf(epoch, norms, rate(epoch), rate(epoch + 1)))) {
            level = decision.level;
        }
    }
    return levels;
}

/// The learning rate by which the authors' code trained 300 epochs: lower first in 152 and 252
/// (methods.md §1.3, 7).
inline double authorsRate(int epoch) { return epoch < 152 ? 0.4 : epoch < 252 ? 0.04 : 0.004; }

}  // namespace concertina
