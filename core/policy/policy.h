// SPDX-License-Identifier: Apache-2.0
// Who decides the level. A Policy is a pure function of recorded signals: the live run (rank 0, at
// the end of each epoch) and a replay of a saved run call the same code. No torch, no clock, no
// I/O; one thread at a time.
#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/policy/reason.h"
#include "core/spec/run_spec.h"

namespace concertina {

/// (epoch, layer) -> level. `epoch` is the FIRST epoch trained at that level. Epochs count from 0.
struct Decision {
    int epoch = 0;
    int layer = 0;  // index among the model's parameter tensors
    int level = 0;  // index into the spec's levels, 0 = mildest
    Reason reason = Reason::Initial;
    std::optional<double> norm{};          // of normEpoch; absent where no norm was used
    std::optional<double> previousNorm{};  // of previousEpoch
    int normEpoch = -1, previousEpoch = -1;
    std::optional<double> ratio{};  // |previous - norm| / previous
    std::optional<double> eta{};    // the threshold it was compared with
};

/// What is known when an epoch has ended.
struct EpochSignals {
    int epoch = 0;                  // the one that ended
    std::span<const double> norms;  // per layer: l2 norm of the epoch's accumulated gradient
    double learningRate = 0;        // of this epoch
    double nextLearningRate = 0;    // of the next
};

class Policy {
 public:
    virtual ~Policy() = default;
    /// Levels of epoch 0, one decision per compressible layer.
    virtual std::vector<Decision> start() = 0;
    /// Decisions that take effect in epoch signals.epoch + 1. Whenever the policy decides, it
    /// returns one decision for each compressible layer, also when the level stays; none in
    /// between. REQUIRES: epochs in order, from 0.
    virtual std::vector<Decision> endOfEpoch(const EpochSignals& signals) = 0;
};

/// A parameter tensor as policies know it.
struct PolicyLayer {
    std::string name;
    bool compressible = false;  // a level applies (dim >= 2)
};

/// The policy that the spec names. REQUIRES: a validated spec. Throws Error(Usage) where the spec
/// does not fit the model: a pattern that no layer matches.
std::unique_ptr<Policy> makePolicy(const RunSpec& spec, std::vector<PolicyLayer> layers);

}  // namespace concertina
