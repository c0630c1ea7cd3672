// SPDX-License-Identifier: Apache-2.0
// VGG with batch norm for 32x32 images: torchvision's `features` (convolutions with a bias, halved
// five times) and the classifier of the Accordion experiments, 512-512-classes with dropout before
// each hidden layer.
#include <ATen/ops/dropout.h>
#include <ATen/ops/max_pool2d.h>
#include <torch/nn/modules/linear.h>

#include "core/model/blocks.h"
#include "core/model/model.h"

namespace concertina {
namespace {

using torch::nn::Linear;

constexpr std::int64_t kHidden = 512;

/// Convolutions up to a pooling.
using Stage = std::vector<std::int64_t>;  // channels of each

/// The convolutions under the names torchvision gives them: every layer counts, ReLU and pooling
/// too.
class Features : public Block {
 public:
    Features(std::int64_t channels, const std::vector<Stage>& stages) {
        int place = 0;
        for (const Stage& stage : stages) {
            for (const std::int64_t out : stage) {
                const auto name = [&place](int offset) { return std::to_string(place + offset); };
                convs_.push_back(
                    register_module(name(0), convolution({channels, out, 3, 1, true})));
                norms_.push_back(register_module(name(1), torch::nn::BatchNorm2d(out)));
                poolAfter_.push_back(false);
                place += 3;
                channels = out;
            }
            poolAfter_.back() = true;
            ++place;
        }
    }

    at::Tensor forward(const at::Tensor& x) override {
        at::Tensor y = x;
        for (std::size_t i = 0; i < convs_.size(); ++i) {
            y = norms_[i]->forward(convs_[i]->forward(y)).relu_();
            y = poolAfter_[i] ? at::max_pool2d(y, 2, 2) : y;
        }
        return y;
    }

 private:
    std::vector<torch::nn::Conv2d> convs_;
    std::vector<torch::nn::BatchNorm2d> norms_;
    std::vector<bool> poolAfter_;
};

class Classifier : public Block {
 public:
    Classifier(double dropout, std::int64_t classes)
        : dropout_(dropout),
          hidden1_(register_module("1", Linear(kHidden, kHidden))),
          hidden2_(register_module("4", Linear(kHidden, kHidden))),
          output_(register_module("6", Linear(kHidden, classes))) {}

    at::Tensor forward(const at::Tensor& x) override {
        const auto drop = [this](const at::Tensor& y) {
            return at::dropout(y, dropout_, is_training());
        };
        const at::Tensor y = hidden1_->forward(drop(x)).relu_();
        return output_->forward(hidden2_->forward(drop(y)).relu_());
    }

 private:
    double dropout_;
    Linear hidden1_, hidden2_, output_;
};

class Vgg : public Model {
 public:
    Vgg(const std::vector<Stage>& stages, double dropout, const DataForm& data)
        : features_(
              register_module("features", std::make_shared<Features>(data.inputShape[0], stages))),
          classifier_(
              register_module("classifier", std::make_shared<Classifier>(dropout, data.outputs))) {
        initializeKaiming(*this, Fan::Out);
    }

    at::Tensor forward(const at::Tensor& inputs) override {
        return classifier_->forward(features_->forward(inputs).flatten(1));  // (B, 512, 1, 1)
    }

 private:
    std::shared_ptr<Features> features_;
    std::shared_ptr<Classifier> classifier_;
};

}  // namespace

std::shared_ptr<Model> makeVgg11Bn(const Settings& options, const DataForm& data) {
    const std::vector<Stage> stages{{64}, {128}, {256, 256}, {512, 512}, {512, 512}};
    return std::make_shared<Vgg>(stages, realOf(options, "dropout"), data);
}

std::shared_ptr<Model> makeVgg19Bn(const Settings& options, const DataForm& data) {
    const std::vector<Stage> stages{
        {64, 64}, {128, 128}, Stage(4, 256), Stage(4, 512), Stage(4, 512)};
    return std::make_shared<Vgg>(stages, realOf(options, "dropout"), data);
}

}  // namespace concertina
