// SPDX-License-Identifier: Apache-2.0
// SignalHistory: what a policy was told, epoch after epoch. A policy is a pure function of it, so
// this is a policy's whole state: a checkpoint keeps the history, and resuming tells it all again
// to a new policy. A new policy therefore has nothing to save; a new signal is listed here. One
// thread at a time.
#pragma once
#include <vector>

#include "core/policy/policy.h"

namespace concertina {

class SignalHistory {
 public:
    /// REQUIRES: epochs in order, from 0.
    void add(const EpochSignals& signals);
    int epochs() const { return static_cast<int>(entries_.size()); }
    /// Valid until the next add().
    EpochSignals at(int epoch) const;

 private:
    struct Entry {
        std::vector<double> norms;
        double learningRate, nextLearningRate;
    };
    std::vector<Entry> entries_;
};

/// Tells a new policy everything and returns its levels by layer (`layers` of them) after that.
std::vector<int> levelsAfter(Policy& policy, const SignalHistory& history, std::size_t layers);

}  // namespace concertina
