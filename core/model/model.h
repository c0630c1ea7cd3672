// SPDX-License-Identifier: Apache-2.0
// Model: a network built from a validated spec. Every rank builds its own with the same seed and
// then takes rank 0's weights. Dropout draws from torch's generator, which the training loop seeds
// anew in every step. shared_ptr because torch::nn's own bookkeeping holds the other reference.
#pragma once
#include <torch/nn/module.h>

#include <memory>
#include <string>
#include <vector>

#include "core/catalogue/catalogue.h"
#include "core/spec/run_spec.h"

namespace concertina {

class Model : public torch::nn::Module {
 public:
    /// (B, inputShape...) -> (B, outputs); of tokens (B, T) int64 -> (B, T, outputs). Logits, or
    /// the predicted numbers.
    virtual at::Tensor forward(const at::Tensor& inputs) = 0;

    /// What a recurrent model carries from one batch to the next, which goes on where this one
    /// ended; empty for others and at a start. A checkpoint within an epoch keeps it, on each rank.
    virtual std::vector<at::Tensor> carried() const { return {}; }
    /// Takes back what carried() gave; {} starts anew.
    virtual void carry(std::vector<at::Tensor> /*state*/) {}
};

/// Weights are drawn from torch's generator seeded with `seed` (which it reseeds). REQUIRES: the
/// catalogue sees no problem with such data.
std::shared_ptr<Model> makeModel(const Choice& model, const DataForm& data, std::uint64_t seed);
std::vector<std::string> modelFactoryNames();

}  // namespace concertina
