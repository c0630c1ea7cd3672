// SPDX-License-Identifier: Apache-2.0
#include "core/model/blocks.h"

#include <ATen/core/grad_mode.h>

#include <cmath>

namespace concertina {

void Chain::add(const std::string& name, std::shared_ptr<Block> block) {
    blocks_.push_back(register_module(name, std::move(block)));
}

at::Tensor Chain::forward(const at::Tensor& x) {
    at::Tensor y = x;
    for (const auto& block : blocks_) {
        y = block->forward(y);
    }
    return y;
}

torch::nn::Conv2d convolution(const ConvSize& size) {
    return torch::nn::Conv2d(torch::nn::Conv2dOptions(size.in, size.out, size.kernel)
                                 .stride(size.stride)
                                 .padding(size.kernel / 2)
                                 .bias(size.bias));
}

ConvNorm::ConvNorm(const ConvSize& size)
    : conv_(register_module("conv", convolution(size))),
      bn_(register_module("bn", torch::nn::BatchNorm2d(size.out))) {}

at::Tensor ConvNorm::forward(const at::Tensor& x) {
    return bn_->forward(conv_->forward(x)).relu_();
}

at::Tensor globalMean(const at::Tensor& x) { return x.mean({2, 3}); }

void initializeKaiming(torch::nn::Module& network, Fan fan) {
    const at::NoGradGuard noGrad;
    for (const auto& module : network.modules(/*include_self=*/false)) {
        if (auto* conv = module->as<torch::nn::Conv2dImpl>()) {
            const at::Tensor& weight = conv->weight;  // (out, in, kernel, kernel)
            const std::int64_t channels = weight.size(fan == Fan::Out ? 0 : 1);
            const auto inputs = static_cast<double>(channels * weight.size(2) * weight.size(3));
            weight.normal_(0, std::sqrt(2 / inputs));
            if (conv->bias.defined()) {
                conv->bias.zero_();
            }
        }
    }
}

}  // namespace concertina
