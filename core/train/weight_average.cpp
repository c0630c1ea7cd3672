// SPDX-License-Identifier: Apache-2.0
#include "core/train/weight_average.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_foreach_lerp.h>

#include "core/base/error.h"

namespace concertina {

WeightAverage::WeightAverage(const NamedParameters& parameters, double decay)
    : parameters_(parameters), decay_(decay) {
    for (const at::Tensor& parameter : parameters_.tensors) {
        average_.push_back(parameter.detach().clone());
    }
}

void WeightAverage::update() {
    const at::NoGradGuard noGrad;
    at::_foreach_lerp_(average_, parameters_.tensors, 1 - decay_);
}

void WeightAverage::swap() {
    const at::NoGradGuard noGrad;
    for (std::size_t i = 0; i < average_.size(); ++i) {
        const at::Tensor weights = parameters_.tensors[i].clone();
        parameters_.tensors[i].copy_(average_[i]);
        average_[i].copy_(weights);
    }
}

NamedParameters WeightAverage::state() const {
    NamedParameters state{{}, average_};
    for (const std::string& name : parameters_.names) {
        state.names.push_back("average/" + name);
    }
    return state;
}

void WeightAverage::restore(const NamedParameters& saved) {
    const NamedParameters own = state();
    if (saved.names != own.names) {
        throw Error(ErrorKind::Usage, "the saved average is not of this model's parameters");
    }
    const at::NoGradGuard noGrad;
    for (std::size_t i = 0; i < average_.size(); ++i) {
        if (saved.tensors[i].sizes() != average_[i].sizes()) {
            throw Error(ErrorKind::Usage,
                        "the saved " + saved.names[i] + " has another shape than the parameter");
        }
        average_[i].copy_(saved.tensors[i]);
    }
}

}  // namespace concertina
