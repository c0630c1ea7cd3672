// SPDX-License-Identifier: Apache-2.0
// OneParameter: a module that holds one tensor, so that it has the name it has elsewhere
// ("encoder.weight"), without a forward of its own. Used by the language models, whose output layer
// shares the embedding's weights: registered twice, a tensor would be trained twice.
#pragma once
#include <torch/nn/module.h>

#include <string>
#include <utility>

namespace concertina {

struct OneParameter : torch::nn::Module {
    OneParameter(const std::string& name, at::Tensor values)
        : value(register_parameter(name, std::move(values))) {}
    at::Tensor value;
};

}  // namespace concertina
