// SPDX-License-Identifier: Apache-2.0
// Multi-layer perceptron on flattened inputs: linear layers with ReLU between them; without hidden
// layers it is logistic regression.
#include <torch/nn/modules/linear.h>

#include "core/model/model.h"

namespace concertina {
namespace {

class Mlp : public Model {
 public:
    Mlp(std::int64_t inputs, const std::vector<std::int64_t>& hidden, std::int64_t classes) {
        std::int64_t width = inputs;
        for (std::size_t i = 0; i <= hidden.size(); ++i) {
            const std::int64_t next = i < hidden.size() ? hidden[i] : classes;
            layers_.push_back(
                register_module("fc" + std::to_string(i + 1), torch::nn::Linear(width, next)));
            width = next;
        }
    }

    at::Tensor forward(const at::Tensor& inputs) override {
        at::Tensor x = inputs.flatten(1);  // (B, inputs)
        for (std::size_t i = 0; i < layers_.size(); ++i) {
            x = layers_[i]->forward(i == 0 ? x : x.relu());
        }
        return x;
    }

 private:
    std::vector<torch::nn::Linear> layers_;
};

}  // namespace

std::shared_ptr<Model> makeMlp(const Settings& options, const DataForm& data) {
    return std::make_shared<Mlp>(elementsOf(data.inputShape), integersOf(options, "hidden"),
                                 data.outputs);
}

std::shared_ptr<Model> makeLogistic(const Settings& /*options*/, const DataForm& data) {
    return std::make_shared<Mlp>(elementsOf(data.inputShape), std::vector<std::int64_t>{},
                                 data.outputs);
}

}  // namespace concertina
