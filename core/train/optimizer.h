// SPDX-License-Identifier: Apache-2.0
// Optimizer: what [train] makes of the averaged gradients. torch's own SGD, Adam and AdamW, with
// what they lack: LARS, clipping over all parameters, decay of matrices only. Training thread.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/spec/run_spec.h"
#include "core/train/weights.h"

namespace torch::optim {
class Optimizer;
}

namespace concertina {

class Optimizer {
 public:
    /// With compress.momentum_place "before" the ranks apply momentum and this one does not.
    Optimizer(const RunSpec& spec, NamedParameters parameters);
    ~Optimizer();

    void setLearningRate(double rate);
    /// One update from the gradients in place, which are averaged already and may be changed:
    /// shortened together to clip_norm, and with lars each matrix's g + decay * w multiplied by
    /// trust * |w| / |g + decay * w| (You, Gitman & Ginsburg 2017, eq. 6; 1 where either is zero).
    /// A parameter without a gradient is left alone.
    void step();
    /// Zeroes gradients in place: they are views of the Reducer's buckets.
    void zeroGradients();

    /// What has to be kept to go on exactly: "momentum/NAME", "exp_avg/NAME", "exp_avg_sq/NAME"
    /// and "step/NAME" (int64, one element), of parameters that have been stepped.
    NamedParameters state() const;
    /// Takes back what state() gave. Throws Error(Usage) for a name or shape that is not of this
    /// optimizer.
    void restore(const NamedParameters& state);

 private:
    std::vector<at::Tensor> gradients() const;
    void clip();
    void scaleByTrust();

    NamedParameters parameters_;
    std::string kind_;
    double clipNorm_, trust_, decay_;
    bool decaysMatricesOnly_;
    std::unique_ptr<torch::optim::Optimizer> inner_;
};

}  // namespace concertina
