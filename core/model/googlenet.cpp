// SPDX-License-Identifier: Apache-2.0
// GoogLeNet (Szegedy et al. 2015) for small images, as in the Accordion experiments: a 3x3 stem of
// 192 channels, nine inception modules, convolutions with bias and batch norm, two 3x3 in the place
// of a 5x5. Names and initialization are torchvision's.
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/max_pool2d.h>
#include <torch/nn/modules/linear.h>

#include <array>

#include "core/model/blocks.h"
#include "core/model/model.h"

namespace concertina {
namespace {

struct InceptionSize {
    const char* name;
    std::int64_t in, only1x1, before3x3, after3x3, before5x5, after5x5, afterPool;
    bool halvesFirst = false;
    std::int64_t out() const { return only1x1 + after3x3 + after5x5 + afterPool; }
};

constexpr std::array<InceptionSize, 9> kInceptions{{
    {"3a", 192, 64, 96, 128, 16, 32, 32},
    {"3b", 256, 128, 128, 192, 32, 96, 64},
    {"4a", 480, 192, 96, 208, 16, 48, 64, true},
    {"4b", 512, 160, 112, 224, 24, 64, 64},
    {"4c", 512, 128, 128, 256, 24, 64, 64},
    {"4d", 512, 112, 144, 288, 32, 64, 64},
    {"4e", 528, 256, 160, 320, 32, 128, 128},
    {"5a", 832, 256, 160, 320, 32, 128, 128, true},
    {"5b", 832, 384, 192, 384, 48, 128, 128},
}};

std::shared_ptr<ConvNorm> convNorm(std::int64_t in, std::int64_t out, std::int64_t kernel) {
    return std::make_shared<ConvNorm>(ConvSize{in, out, kernel, 1, true});
}

std::shared_ptr<Chain> chainOf(const std::vector<std::shared_ptr<ConvNorm>>& parts) {
    auto chain = std::make_shared<Chain>();
    for (std::size_t i = 0; i < parts.size(); ++i) {
        chain->add(std::to_string(i), parts[i]);
    }
    return chain;
}

class MaxPool : public Block {
 public:
    explicit MaxPool(std::int64_t stride) : stride_(stride) {}
    at::Tensor forward(const at::Tensor& x) override { return at::max_pool2d(x, 3, stride_, 1); }

 private:
    std::int64_t stride_;
};

class Inception : public Block {
 public:
    explicit Inception(const InceptionSize& s)
        : branch1_(register_module("branch1", convNorm(s.in, s.only1x1, 1))),
          branch2_(register_module(
              "branch2",
              chainOf({convNorm(s.in, s.before3x3, 1), convNorm(s.before3x3, s.after3x3, 3)}))),
          branch3_(register_module(
              "branch3",
              chainOf({convNorm(s.in, s.before5x5, 1), convNorm(s.before5x5, s.after5x5, 3),
                       convNorm(s.after5x5, s.after5x5, 3)}))),
          branch4_(register_module("branch4", std::make_shared<Chain>())) {
        branch4_->add("0", std::make_shared<MaxPool>(1));
        branch4_->add("1", convNorm(s.in, s.afterPool, 1));
    }

    at::Tensor forward(const at::Tensor& x) override {
        return at::cat({branch1_->forward(x), branch2_->forward(x), branch3_->forward(x),
                        branch4_->forward(x)},
                       1);
    }

 private:
    std::shared_ptr<ConvNorm> branch1_;
    std::shared_ptr<Chain> branch2_, branch3_, branch4_;
};

class GoogLeNet : public Model {
 public:
    explicit GoogLeNet(const DataForm& data)
        : conv1_(register_module("conv1", convNorm(data.inputShape[0], kInceptions[0].in, 3))) {
        for (const InceptionSize& size : kInceptions) {
            inceptions_.push_back(register_module(std::string("inception") + size.name,
                                                  std::make_shared<Inception>(size)));
        }
        fc_ = register_module("fc", torch::nn::Linear(kInceptions.back().out(), data.outputs));
        initialize();
    }

    at::Tensor forward(const at::Tensor& inputs) override {
        at::Tensor x = conv1_->forward(inputs);
        for (std::size_t i = 0; i < inceptions_.size(); ++i) {
            x = kInceptions[i].halvesFirst ? at::max_pool2d(x, 3, 2, 1) : x;
            x = inceptions_[i]->forward(x);
        }
        return fc_->forward(globalMean(x));
    }

 private:
    /// Torchvision truncates its normal numbers at 200 deviations, which is not at all.
    void initialize() {
        const at::NoGradGuard noGrad;
        for (const at::Tensor& parameter : parameters()) {
            if (parameter.dim() >= 2) {
                parameter.normal_(0, 0.01);
            }
        }
    }

    std::shared_ptr<ConvNorm> conv1_;
    std::vector<std::shared_ptr<Inception>> inceptions_;
    torch::nn::Linear fc_{nullptr};
};

}  // namespace

std::shared_ptr<Model> makeGooglenet(const Settings& /*options*/, const DataForm& data) {
    return std::make_shared<GoogLeNet>(data);
}

}  // namespace concertina
