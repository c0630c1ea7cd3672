// SPDX-License-Identifier: Apache-2.0
// LeNet-5 (LeCun et al. 1998, section II.B) as it is trained today: ReLU, max pooling, and all of
// conv2 connected. 28x28 inputs are padded to the paper's 32x32 by the first convolution.
#include <ATen/ops/max_pool2d.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>

#include "core/model/model.h"

namespace concertina {
namespace {

torch::nn::Conv2d conv5x5(std::int64_t in, std::int64_t out, std::int64_t padding) {
    return torch::nn::Conv2d(torch::nn::Conv2dOptions(in, out, 5).padding(padding));
}

class Lenet5 : public Model {
 public:
    Lenet5(const Shape& input, std::int64_t classes)
        : conv1_(register_module("conv1", conv5x5(input[0], 6, 2))),
          conv2_(register_module("conv2", conv5x5(6, 16, 0))),
          fc1_(register_module("fc1", torch::nn::Linear(flattened(input), 120))),
          fc2_(register_module("fc2", torch::nn::Linear(120, 84))),
          fc3_(register_module("fc3", torch::nn::Linear(84, classes))) {}

    at::Tensor forward(const at::Tensor& inputs) override {
        at::Tensor x = at::max_pool2d(conv1_->forward(inputs).relu(), 2);  // (B, 6, 14, 14)
        x = at::max_pool2d(conv2_->forward(x).relu(), 2);                  // (B, 16, 5, 5)
        x = fc1_->forward(x.flatten(1)).relu();
        return fc3_->forward(fc2_->forward(x).relu());
    }

 private:
    static std::int64_t flattened(const Shape& input) {
        const auto side = [](std::int64_t size) { return (size / 2 - 4) / 2; };
        return 16 * side(input[1]) * side(input[2]);
    }

    torch::nn::Conv2d conv1_, conv2_;
    torch::nn::Linear fc1_, fc2_, fc3_;
};

}  // namespace

std::shared_ptr<Model> makeLenet5(const Settings& options, const DataForm& data) {
    return std::make_shared<Lenet5>(data.inputShape, data.outputs);
}

}  // namespace concertina
