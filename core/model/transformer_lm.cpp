// SPDX-License-Identifier: Apache-2.0
// A small GPT: GPT-2's architecture, names and initialization (Radford et al. 2019), the output
// layer sharing the embedding's weights. Windows are independent of each other.
#include <ATen/core/grad_mode.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/normalization.h>

#include <cmath>

#include "core/model/model.h"
#include "core/model/one_parameter.h"

namespace concertina {
namespace {

using torch::nn::LayerNorm;
using torch::nn::Linear;

struct BlockSize {
    std::int64_t width, heads;
    double dropout;
};

LayerNorm layerNorm(std::int64_t width) { return LayerNorm(torch::nn::LayerNormOptions({width})); }

/// Each word looks at itself and at earlier ones.
class Attention : public torch::nn::Module {
 public:
    explicit Attention(const BlockSize& size)
        : size_(size),
          all_(register_module("c_attn", Linear(size.width, 3 * size.width))),
          proj_(register_module("c_proj", Linear(size.width, size.width))) {}

    at::Tensor forward(const at::Tensor& x) {  // (B, T, width)
        std::vector<at::Tensor> parts = all_->forward(x).split(size_.width, 2);
        for (at::Tensor& part : parts) {  // (B, heads, T, width / heads)
            part = part.unflatten(2, {size_.heads, -1}).transpose(1, 2);
        }
        const at::Tensor y = at::scaled_dot_product_attention(parts[0], parts[1], parts[2], {},
                                                              is_training() ? size_.dropout : 0,
                                                              /*is_causal=*/true);
        return at::dropout(proj_->forward(y.transpose(1, 2).flatten(2)), size_.dropout,
                           is_training());
    }

 private:
    BlockSize size_;
    Linear all_, proj_;
};

class FeedForward : public torch::nn::Module {
 public:
    explicit FeedForward(const BlockSize& size)
        : size_(size),
          up_(register_module("c_fc", Linear(size.width, 4 * size.width))),
          down_(register_module("c_proj", Linear(4 * size.width, size.width))) {}

    at::Tensor forward(const at::Tensor& x) {
        return at::dropout(down_->forward(at::gelu(up_->forward(x), "tanh")), size_.dropout,
                           is_training());
    }

 private:
    BlockSize size_;
    Linear up_, down_;
};

class TransformerBlock : public torch::nn::Module {
 public:
    explicit TransformerBlock(const BlockSize& size)
        : norm1_(register_module("ln_1", layerNorm(size.width))),
          attention_(register_module("attn", std::make_shared<Attention>(size))),
          norm2_(register_module("ln_2", layerNorm(size.width))),
          feedForward_(register_module("mlp", std::make_shared<FeedForward>(size))) {}

    at::Tensor forward(const at::Tensor& x) {
        const at::Tensor y = x + attention_->forward(norm1_->forward(x));
        return y + feedForward_->forward(norm2_->forward(y));
    }

 private:
    LayerNorm norm1_;
    std::shared_ptr<Attention> attention_;
    LayerNorm norm2_;
    std::shared_ptr<FeedForward> feedForward_;
};

class TransformerLm : public Model {
 public:
    TransformerLm(const Settings& options, const DataForm& data)
        : dropout_(realOf(options, "dropout")) {
        const std::int64_t width = integerOf(options, "width");
        const BlockSize size{width, integerOf(options, "heads"), dropout_};
        words_ = table("wte", data.outputs, width);
        places_ = table("wpe", data.inputShape[0], width);
        const auto blocks = register_module("h", std::make_shared<torch::nn::Module>());
        for (std::int64_t i = 0; i < integerOf(options, "layers"); ++i) {
            blocks_.push_back(blocks->register_module(std::to_string(i),
                                                      std::make_shared<TransformerBlock>(size)));
        }
        norm_ = register_module("ln_f", layerNorm(width));
        initialize();
    }

    at::Tensor forward(const at::Tensor& inputs) override {  // (B, T)
        const at::Tensor places = places_->value.slice(0, 0, inputs.size(1));
        at::Tensor x =
            at::dropout(at::embedding(words_->value, inputs) + places, dropout_, is_training());
        for (const auto& block : blocks_) {
            x = block->forward(x);
        }
        return at::linear(norm_->forward(x), words_->value);  // (B, T, vocabulary)
    }

 private:
    std::shared_ptr<OneParameter> table(const char* name, std::int64_t rows, std::int64_t width) {
        return register_module(name,
                               std::make_shared<OneParameter>("weight", at::empty({rows, width})));
    }

    /// Normal with deviation 0.02; what is added to the residual stream is smaller, the more blocks
    /// add to it; biases 0.
    void initialize() {
        const at::NoGradGuard noGrad;
        const double residual = 0.02 / std::sqrt(2.0 * static_cast<double>(blocks_.size()));
        for (const auto& named : named_parameters()) {
            const at::Tensor& parameter = named.value();
            if (parameter.dim() >= 2) {
                const bool added = named.key().ends_with("c_proj.weight");
                parameter.normal_(0, added ? residual : 0.02);
            } else if (named.key().ends_with("bias")) {
                parameter.zero_();
            }
        }
    }

    double dropout_;
    std::shared_ptr<OneParameter> words_, places_;
    std::vector<std::shared_ptr<TransformerBlock>> blocks_;
    LayerNorm norm_{nullptr};
};

}  // namespace

std::shared_ptr<Model> makeTransformerLm(const Settings& options, const DataForm& data) {
    return std::make_shared<TransformerLm>(options, data);
}

}  // namespace concertina
