// SPDX-License-Identifier: Apache-2.0
// Model: a network built from a validated spec. Every rank builds its own with the same seed and
// then takes rank 0's weights. shared_ptr because torch::nn's own bookkeeping holds the other
// reference.
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
    virtual at::Tensor forward(
        const at::Tensor& inputs) = 0;  // (B, C, H, W) -> (B, classes) logits
};

/// Weights are drawn from torch's generator seeded with `seed` (which it reseeds).
std::shared_ptr<Model> makeModel(const Choice& model,
                                 const DatasetDescriptor& data,
                                 std::uint64_t seed);
std::vector<std::string> modelFactoryNames();

}  // namespace concertina
