// SPDX-License-Identifier: Apache-2.0
// LSTM language model as in PyTorch's word_language_model example and the Accordion and PowerSGD
// experiments: embedding, LSTM layers, and an output layer that shares the embedding's weights.
// Names and initialization are the example's. Batches go on where the last one ended, so hidden
// state is carried from step to step, without gradient.
#include <ATen/core/grad_mode.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/zeros.h>
#include <torch/nn/modules/rnn.h>

#include "core/base/check.h"
#include "core/model/model.h"
#include "core/model/one_parameter.h"

namespace concertina {
namespace {

class LstmLm : public Model {
 public:
    LstmLm(const Settings& options, std::int64_t vocabulary)
        : dropout_(realOf(options, "dropout")) {
        const std::int64_t hidden = integerOf(options, "hidden");
        const std::int64_t layers = integerOf(options, "layers");
        encoder_ = register_module(
            "encoder", std::make_shared<OneParameter>(
                           "weight", at::empty({vocabulary, hidden}).uniform_(-0.1, 0.1)));
        rnn_ = register_module("rnn", torch::nn::LSTM(torch::nn::LSTMOptions(hidden, hidden)
                                                          .num_layers(layers)
                                                          .dropout(layers > 1 ? dropout_ : 0)
                                                          .batch_first(true)));
        decoder_ = register_module("decoder",
                                   std::make_shared<OneParameter>("bias", at::zeros({vocabulary})));
    }

    at::Tensor forward(const at::Tensor& inputs) override {                 // (B, T)
        const at::Tensor x = drop(at::embedding(encoder_->value, inputs));  // (B, T, hidden)
        auto [y, state] = rnn_->forward(x, stateFor(x));
        h_ = std::get<0>(state).detach();
        c_ = std::get<1>(state).detach();
        return at::linear(drop(y), encoder_->value, decoder_->value);  // (B, T, vocabulary)
    }

    std::vector<at::Tensor> carried() const override {
        return h_.defined() ? std::vector{h_, c_} : std::vector<at::Tensor>{};
    }

    void carry(std::vector<at::Tensor> state) override {
        CONCERTINA_CHECK(state.empty() || state.size() == 2, std::to_string(state.size()));
        h_ = state.empty() ? at::Tensor() : state[0];
        c_ = state.empty() ? at::Tensor() : state[1];
    }

 private:
    at::Tensor drop(const at::Tensor& x) const { return at::dropout(x, dropout_, is_training()); }

    /// What the last batch left; zeros at a start and where the number of streams changes.
    std::tuple<at::Tensor, at::Tensor> stateFor(const at::Tensor& x) const {
        const auto& options = rnn_->options;
        if (h_.defined() && h_.size(1) == x.size(0)) {
            return {h_.to(x.options()), c_.to(x.options())};
        }
        const at::Tensor zeros =
            at::zeros({options.num_layers(), x.size(0), options.hidden_size()}, x.options());
        return {zeros, zeros};
    }

    double dropout_;
    std::shared_ptr<OneParameter> encoder_, decoder_;
    torch::nn::LSTM rnn_{nullptr};
    at::Tensor h_, c_;  // (layers, B, hidden)
};

}  // namespace

std::shared_ptr<Model> makeLstmLm(const Settings& options, const DataForm& data) {
    return std::make_shared<LstmLm>(options, data.outputs);
}

}  // namespace concertina
