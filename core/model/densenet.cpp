// SPDX-License-Identifier: Apache-2.0
// DenseNet (Huang et al. 2017, bottlenecks and compression) for small images, as in the Accordion
// experiments: growth 12, blocks of 6, 12, 24 and 16 layers, a 3x3 stem of 24 channels. Names and
// initialization are torchvision's.
#include <ATen/core/grad_mode.h>
#include <ATen/ops/avg_pool2d.h>
#include <ATen/ops/cat.h>
#include <torch/nn/modules/linear.h>

#include <array>

#include "core/model/blocks.h"
#include "core/model/model.h"

namespace concertina {
namespace {

using torch::nn::BatchNorm2d;
using torch::nn::Conv2d;

constexpr std::int64_t kGrowth = 12;
constexpr std::array kBlockLayers{6, 12, 24, 16};

/// Adds kGrowth channels made of all before them.
class DenseLayer : public Block {
 public:
    explicit DenseLayer(std::int64_t in)
        : norm1_(register_module("norm1", BatchNorm2d(in))),
          conv1_(register_module("conv1", convolution({in, 4 * kGrowth, 1}))),
          norm2_(register_module("norm2", BatchNorm2d(4 * kGrowth))),
          conv2_(register_module("conv2", convolution({4 * kGrowth, kGrowth, 3}))) {}

    at::Tensor forward(const at::Tensor& x) override {
        const at::Tensor y = conv1_->forward(norm1_->forward(x).relu_());
        return at::cat({x, conv2_->forward(norm2_->forward(y).relu_())}, 1);
    }

 private:
    BatchNorm2d norm1_;
    Conv2d conv1_;
    BatchNorm2d norm2_;
    Conv2d conv2_;
};

/// Halves channels, height and width.
class Transition : public Block {
 public:
    explicit Transition(std::int64_t in)
        : norm_(register_module("norm", BatchNorm2d(in))),
          conv_(register_module("conv", convolution({in, in / 2, 1}))) {}

    at::Tensor forward(const at::Tensor& x) override {
        return at::avg_pool2d(conv_->forward(norm_->forward(x).relu_()), 2);
    }

 private:
    BatchNorm2d norm_;
    Conv2d conv_;
};

class DenseNet : public Model {
 public:
    explicit DenseNet(const DataForm& data)
        : features_(register_module("features", std::make_shared<Chain>())) {
        std::int64_t channels = 2 * kGrowth;
        conv0_ =
            features_->register_module("conv0", convolution({data.inputShape[0], channels, 3}));
        for (std::size_t i = 0; i < kBlockLayers.size(); ++i) {
            const auto layers = std::make_shared<Chain>();
            for (int layer = 1; layer <= kBlockLayers[i]; ++layer, channels += kGrowth) {
                layers->add("denselayer" + std::to_string(layer),
                            std::make_shared<DenseLayer>(channels));
            }
            const std::string number = std::to_string(i + 1);
            features_->add("denseblock" + number, layers);
            if (i + 1 < kBlockLayers.size()) {
                features_->add("transition" + number, std::make_shared<Transition>(channels));
                channels /= 2;
            }
        }
        norm5_ = features_->register_module("norm5", BatchNorm2d(channels));
        classifier_ = register_module("classifier", torch::nn::Linear(channels, data.outputs));
        initializeKaiming(*this, Fan::In);
        const at::NoGradGuard noGrad;
        classifier_->bias.zero_();
    }

    at::Tensor forward(const at::Tensor& inputs) override {
        const at::Tensor x = features_->forward(conv0_->forward(inputs));
        return classifier_->forward(globalMean(norm5_->forward(x).relu_()));
    }

 private:
    std::shared_ptr<Chain> features_;
    Conv2d conv0_{nullptr};
    BatchNorm2d norm5_{nullptr};
    torch::nn::Linear classifier_{nullptr};
};

}  // namespace

std::shared_ptr<Model> makeDensenetCifar(const Settings& /*options*/, const DataForm& data) {
    return std::make_shared<DenseNet>(data);
}

}  // namespace concertina
