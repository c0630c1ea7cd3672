// SPDX-License-Identifier: Apache-2.0
// The GradientPipeline's part of a checkpoint.
#include <ATen/ops/empty.h>

#include <algorithm>

#include "core/comm/gradient_pipeline.h"

namespace concertina {
namespace {

constexpr const char *kError = "error/", *kMomentum = "local_momentum/", *kSum = "epoch_sum/",
                     *kCompressor = "compressor/", *kPayload = "count/payload_bytes",
                     *kWire = "count/wire_bytes";

at::Tensor flat(const at::Tensor& parameter) { return parameter.detach().view(-1); }

void addDefined(NamedTensors& state, const std::string& name, const at::Tensor& tensor) {
    if (tensor.defined()) {
        state.emplace_back(name, tensor);
    }
}

}  // namespace

void GradientPipeline::save(NamedTensors& state) const {
    const auto count = static_cast<std::int64_t>(layers_.size());
    at::Tensor payload = at::empty({count}, at::kLong), wire = at::empty({count}, at::kDouble);
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        const Layer& layer = layers_[i];
        const int index = static_cast<int>(i);
        addDefined(state, kError + layer.name, memory_.present(index));
        addDefined(state, kMomentum + layer.name, momentum_.present(index));
        addDefined(state, kSum + layer.name, layer.epochSum);
        payload.mutable_data_ptr<std::int64_t>()[i] = layer.payloadBytes;
        wire.mutable_data_ptr<double>()[i] = layer.wireBytes;
    }
    state.emplace_back(kPayload, payload);
    state.emplace_back(kWire, wire);
    for (auto& [name, tensor] : compressor_->save()) {
        state.emplace_back(kCompressor + name, tensor);
    }
}

void GradientPipeline::load(StateReader& state, std::int64_t step) {
    const auto count = static_cast<std::int64_t>(layers_.size());
    const at::Tensor payload = state.take(kPayload, at::empty({count}, at::kLong));
    const at::Tensor wire = state.take(kWire, at::empty({count}, at::kDouble));
    std::vector<Shape> shapes;
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        Layer& layer = layers_[i];
        const int index = static_cast<int>(i);
        const at::Tensor like = flat(parameters_[i]);
        memory_.restore(index, state.takeIfThere(kError + layer.name, like));
        momentum_.restore(index, state.takeIfThere(kMomentum + layer.name, like));
        if (layer.epochSum.defined()) {
            layer.epochSum.copy_(state.take(kSum + layer.name, like));
        }
        layer.payloadBytes = payload.const_data_ptr<std::int64_t>()[i];
        layer.wireBytes = wire.const_data_ptr<double>()[i];
        shapes.push_back(layer.shape);
    }
    NamedTensors kept = state.takeAll(kCompressor);
    for (auto& [name, tensor] : kept) {
        tensor = tensor.to(parameters_.front().device());
    }
    compressor_->load(kept, shapes);
    step_ = step;
}

}  // namespace concertina
