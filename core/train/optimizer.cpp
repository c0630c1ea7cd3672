// SPDX-License-Identifier: Apache-2.0
#include "core/train/optimizer.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_foreach_mul.h>
#include <ATen/ops/_foreach_norm.h>
#include <ATen/ops/_foreach_zero.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/stack.h>
#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/optim/sgd.h>

#include <algorithm>
#include <functional>

#include "core/base/error.h"

namespace concertina {
namespace {

using Groups = std::vector<torch::optim::OptimizerParamGroup>;

bool isMatrix(const at::Tensor& parameter) { return parameter.dim() >= 2; }

template <typename Options>
std::unique_ptr<torch::optim::OptimizerOptions> withDecay(Options options, double decay) {
    return std::make_unique<Options>(options.weight_decay(decay));
}

/// Two groups of one optimizer: those that decay, and the rest.
template <typename Kind, typename Options>
std::unique_ptr<torch::optim::Optimizer> make(const NamedParameters& parameters,
                                              bool matricesOnly,
                                              double decay,
                                              Options options) {
    std::vector<at::Tensor> decaying, others;
    for (const at::Tensor& parameter : parameters.tensors) {
        (matricesOnly && !isMatrix(parameter) ? others : decaying).push_back(parameter);
    }
    Groups groups;
    if (!decaying.empty()) {
        groups.emplace_back(decaying, withDecay(options, decay));
    }
    if (!others.empty()) {
        groups.emplace_back(others, withDecay(options, 0));
    }
    return std::make_unique<Kind>(std::move(groups), options);
}

template <typename Options>
Options adamOptions(const Settings& train) {
    return Options(realOf(train, "lr"))
        .betas({realOf(train, "beta1"), realOf(train, "beta2")})
        .eps(realOf(train, "epsilon"));
}

/// One named tensor of a parameter's state. Adam's count of steps is a number, so it is copied in
/// and out.
struct Slot {
    std::string name;
    std::function<at::Tensor()> get;
    std::function<void(const at::Tensor&)> set;
    std::vector<std::int64_t> shape;
};

template <typename State>
State& stateOf(torch::optim::Optimizer& optimizer, const at::Tensor& parameter) {
    auto& state = optimizer.state()[parameter.unsafeGetTensorImpl()];
    if (state == nullptr) {
        state = std::make_unique<State>();
    }
    return static_cast<State&>(*state);
}

template <typename State>
Slot countSlot(State& state) {
    return {"step",
            [&state] {
                at::Tensor count = at::empty({1}, at::kLong);
                count.fill_(state.step());
                return count;
            },
            [&state](const at::Tensor& count) { state.step(count.item<std::int64_t>()); },
            {1}};
}

template <typename State>
std::vector<Slot> adamSlots(torch::optim::Optimizer& optimizer, const at::Tensor& parameter) {
    auto& state = stateOf<State>(optimizer, parameter);
    const auto shape = parameter.sizes().vec();
    const auto likeParameter = [parameter](const at::Tensor& value) {
        return value.to(parameter.device(), parameter.scalar_type()).clone();
    };
    return {
        {"exp_avg", [&state] { return state.exp_avg(); },
         [=, &state](const at::Tensor& value) { state.exp_avg(likeParameter(value)); }, shape},
        {"exp_avg_sq", [&state] { return state.exp_avg_sq(); },
         [=, &state](const at::Tensor& value) { state.exp_avg_sq(likeParameter(value)); }, shape},
        countSlot(state)};
}

std::vector<Slot> slotsOf(const std::string& kind,
                          torch::optim::Optimizer& optimizer,
                          const at::Tensor& parameter) {
    if (kind == "adam") {
        return adamSlots<torch::optim::AdamParamState>(optimizer, parameter);
    }
    if (kind == "adamw") {
        return adamSlots<torch::optim::AdamWParamState>(optimizer, parameter);
    }
    auto& state = stateOf<torch::optim::SGDParamState>(optimizer, parameter);
    return {{"momentum", [&state] { return state.momentum_buffer(); },
             [parameter, &state](const at::Tensor& value) {
                 state.momentum_buffer(
                     value.to(parameter.device(), parameter.scalar_type()).clone());
             },
             parameter.sizes().vec()}};
}

std::string firstSlotName(const std::string& kind) {
    return kind.starts_with("adam") ? "exp_avg" : "momentum";
}

}  // namespace

Optimizer::Optimizer(const RunSpec& spec, NamedParameters parameters)
    : parameters_(std::move(parameters)),
      kind_(textOf(spec.train, "optimizer")),
      clipNorm_(realOf(spec.train, "clip_norm")),
      trust_(realOf(spec.train, "trust")),
      decay_(realOf(spec.train, "weight_decay")),
      decaysMatricesOnly_(textOf(spec.train, "weight_decay_on") == "matrices") {
    if (kind_ == "adam") {
        inner_ = make<torch::optim::Adam>(parameters_, decaysMatricesOnly_, decay_,
                                          adamOptions<torch::optim::AdamOptions>(spec.train));
    } else if (kind_ == "adamw") {
        inner_ = make<torch::optim::AdamW>(parameters_, decaysMatricesOnly_, decay_,
                                           adamOptions<torch::optim::AdamWOptions>(spec.train));
    } else {
        const bool local = textOf(spec.compress.options, "momentum_place") == "before";
        // Of lars the decay is in the scaled gradient.
        inner_ =
            make<torch::optim::SGD>(parameters_, decaysMatricesOnly_, kind_ == "lars" ? 0 : decay_,
                                    torch::optim::SGDOptions(realOf(spec.train, "lr"))
                                        .momentum(local ? 0 : realOf(spec.train, "momentum"))
                                        .nesterov(booleanOf(spec.train, "nesterov")));
    }
}

Optimizer::~Optimizer() = default;

void Optimizer::setLearningRate(double rate) {
    for (auto& group : inner_->param_groups()) {
        group.options().set_lr(rate);
    }
}

std::vector<at::Tensor> Optimizer::gradients() const {
    std::vector<at::Tensor> found;
    for (const at::Tensor& parameter : parameters_.tensors) {
        if (parameter.grad().defined()) {
            found.push_back(parameter.grad());
        }
    }
    return found;
}

void Optimizer::clip() {
    const std::vector<at::Tensor> all = gradients();
    if (all.empty()) {
        return;
    }
    const at::Tensor norm = at::stack(at::_foreach_norm(all)).norm();
    // Multiplied on the device: no wait for it. A norm of zero gives infinity, which becomes 1.
    at::_foreach_mul_(all, norm.reciprocal().mul_(clipNorm_).clamp_max_(1));
}

void Optimizer::scaleByTrust() {
    for (const at::Tensor& parameter : parameters_.tensors) {
        at::Tensor gradient = parameter.grad();
        if (!gradient.defined()) {
            continue;
        }
        if (isMatrix(parameter) || !decaysMatricesOnly_) {
            gradient.add_(parameter, decay_);
        }
        if (isMatrix(parameter)) {
            const at::Tensor ratio = parameter.norm().div_(gradient.norm()).mul_(trust_);
            gradient.mul_(
                ratio.masked_fill_(ratio.isfinite().logical_and_(ratio > 0).logical_not_(), 1.0));
        }
    }
}

void Optimizer::step() {
    const at::NoGradGuard noGrad;
    if (clipNorm_ > 0) {
        clip();
    }
    if (kind_ == "lars") {
        scaleByTrust();
    }
    inner_->step();
}

void Optimizer::zeroGradients() { at::_foreach_zero_(gradients()); }

NamedParameters Optimizer::state() const {
    NamedParameters found;
    for (std::size_t i = 0; i < parameters_.names.size(); ++i) {
        const at::Tensor& parameter = parameters_.tensors[i];
        if (inner_->state().count(parameter.unsafeGetTensorImpl()) == 0) {
            continue;
        }
        for (const Slot& slot : slotsOf(kind_, *inner_, parameter)) {
            if (const at::Tensor tensor = slot.get(); tensor.defined()) {
                found.names.push_back(slot.name + "/" + parameters_.names[i]);
                found.tensors.push_back(tensor);
            }
        }
    }
    return found;
}

void Optimizer::restore(const NamedParameters& state) {
    const at::NoGradGuard noGrad;
    const auto saved = [&state](const std::string& name) -> const at::Tensor* {
        const auto at = std::find(state.names.begin(), state.names.end(), name);
        return at == state.names.end() ? nullptr : &state.tensors[at - state.names.begin()];
    };
    std::size_t taken = 0;
    for (std::size_t i = 0; i < parameters_.names.size(); ++i) {
        const std::string& parameterName = parameters_.names[i];
        if (saved(firstSlotName(kind_) + "/" + parameterName) == nullptr) {
            continue;  // never stepped
        }
        const at::Tensor& parameter = parameters_.tensors[i];
        for (const Slot& slot : slotsOf(kind_, *inner_, parameter)) {
            const std::string name = slot.name + "/" + parameterName;
            const at::Tensor* value = saved(name);
            if (value == nullptr || value->sizes() != at::IntArrayRef(slot.shape)) {
                throw Error(ErrorKind::Usage,
                            "state of the optimizer: " + name +
                                (value == nullptr ? " is missing" : " has the wrong shape"));
            }
            slot.set(*value);
            ++taken;
        }
    }
    if (taken != state.names.size()) {
        throw Error(ErrorKind::Usage, "state of the optimizer: it holds " +
                                          std::to_string(state.names.size()) + " tensors, " +
                                          std::to_string(taken) + " of them known to " + kind_);
    }
}

}  // namespace concertina
