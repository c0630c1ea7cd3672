// SPDX-License-Identifier: Apache-2.0
// Weights as a whole: made equal on all ranks at the start, shown equal after every epoch. Training
// thread.
#pragma once
#include <torch/nn/module.h>

#include <string>
#include <vector>

#include "core/comm/collectives.h"

namespace concertina {

/// Parameters in the model's order with their full names ("conv1.weight").
struct NamedParameters {
    std::vector<std::string> names;
    std::vector<at::Tensor> tensors;
};
NamedParameters parametersOf(torch::nn::Module& model);

/// Every rank takes rank 0's parameters and buffers.
void broadcastWeights(torch::nn::Module& model, Collectives& control);

/// Floating-point buffers (batch-norm statistics) become their mean over ranks; counted apart.
void averageBuffers(torch::nn::Module& model, Collectives& control);

/// SHA-256 over the bytes of all parameters in the model's order.
std::string weightsHash(torch::nn::Module& model);

/// Throws std::logic_error naming the ranks if the hash differs from rank 0's on any of them: the
/// engine keeps weights bit-equal, so a difference is a fault of the engine and nothing to train
/// on.
void requireEqualOnAllRanks(const std::string& hash, Collectives& control);

}  // namespace concertina
