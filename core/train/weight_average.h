// SPDX-License-Identifier: Apache-2.0
// WeightAverage: a moving average of the weights, a_t = decay * a_(t-1) + (1 - decay) * w_t from
// a_0 = w_0 (Polyak & Juditsky 1992 in its exponential form), for evaluation. Each rank keeps its
// own; as weights are equal on all ranks, so are the averages. Training thread.
#pragma once
#include <vector>

#include "core/train/weights.h"

namespace concertina {

class WeightAverage {
 public:
    /// `parameters` are referred to; 0 < decay < 1.
    WeightAverage(const NamedParameters& parameters, double decay);

    /// After each update of the weights.
    void update();
    /// Exchanges the weights with their average: before an evaluation, and again after it.
    void swap();
    /// "average/NAME", to be saved; restore() throws Error(Usage) where it does not fit.
    NamedParameters state() const;
    void restore(const NamedParameters& state);

 private:
    NamedParameters parameters_;
    std::vector<at::Tensor> average_;
    double decay_;
};

}  // namespace concertina
