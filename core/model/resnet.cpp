// SPDX-License-Identifier: Apache-2.0
// Residual networks for small images: a 3x3 stem, stages of blocks that halve the image and double
// the channels, a mean over what is left, one linear layer. resnet18, resnet20 and senet18 differ
// in their blocks and widths.
#include <ATen/ops/constant_pad_nd.h>
#include <torch/nn/modules/linear.h>

#include <limits>

#include "core/model/blocks.h"
#include "core/model/model.h"

namespace concertina {
namespace {

using torch::nn::BatchNorm2d;
using torch::nn::Conv2d;

enum class BlockKind {
    Projected,     // He et al. 2016, basic block; where sizes differ a 1x1 convolution: option B
    Padded,        // the same; every second pixel, new channels zero: option A, without weights
    PreActivation  // norm and ReLU first, squeeze-and-excitation last (Hu et al. 2018)
};

struct ResidualPlan {
    BlockKind block;
    int blocksPerStage;
    std::vector<std::int64_t> widths;  // of each stage; the stem has the first
};

/// What a block does between its input of `in` channels and its output of `out`.
struct BlockSize {
    std::int64_t in, out, stride;
    bool sameShape() const { return in == out && stride == 1; }
};

/// Torchvision's "downsample": a convolution, with or without its norm.
class Downsample : public Block {
 public:
    Downsample(const BlockSize& size, bool norm)
        : conv_(register_module("0", convolution({size.in, size.out, 1, size.stride}))),
          bn_(norm ? register_module("1", BatchNorm2d(size.out)) : nullptr) {}

    at::Tensor forward(const at::Tensor& x) override {
        const at::Tensor y = conv_->forward(x);
        return bn_.is_empty() ? y : bn_->forward(y);
    }

 private:
    Conv2d conv_;
    BatchNorm2d bn_;
};

class BasicBlock : public Block {
 public:
    BasicBlock(const BlockSize& size, bool projected)
        : size_(size),
          conv1_(register_module("conv1", convolution({size.in, size.out, 3, size.stride}))),
          bn1_(register_module("bn1", BatchNorm2d(size.out))),
          conv2_(register_module("conv2", convolution({size.out, size.out, 3}))),
          bn2_(register_module("bn2", BatchNorm2d(size.out))) {
        if (projected && !size.sameShape()) {
            downsample_ = register_module("downsample", std::make_shared<Downsample>(size, true));
        }
    }

    at::Tensor forward(const at::Tensor& x) override {
        at::Tensor y = bn1_->forward(conv1_->forward(x)).relu_();
        y = bn2_->forward(conv2_->forward(y));
        return y.add_(shortcut(x)).relu_();
    }

 private:
    at::Tensor shortcut(const at::Tensor& x) {
        if (downsample_ != nullptr) {
            return downsample_->forward(x);
        }
        if (size_.sameShape()) {
            return x;
        }
        constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();
        const std::int64_t more = size_.out - size_.in;
        return at::constant_pad_nd(
            x.slice(2, 0, kEnd, size_.stride).slice(3, 0, kEnd, size_.stride),
            {0, 0, 0, 0, more / 2, more - more / 2});
    }

    BlockSize size_;
    Conv2d conv1_;
    BatchNorm2d bn1_;
    Conv2d conv2_;
    BatchNorm2d bn2_;
    std::shared_ptr<Downsample> downsample_;
};

/// Scales each channel by a share in (0, 1) that the means of all channels decide.
class SqueezeExcitation : public Block {
 public:
    explicit SqueezeExcitation(std::int64_t channels)
        : fc1_(register_module("fc1", convolution({channels, channels / 16, 1, 1, true}))),
          fc2_(register_module("fc2", convolution({channels / 16, channels, 1, 1, true}))) {}

    at::Tensor forward(const at::Tensor& x) override {
        const at::Tensor means = x.mean({2, 3}, /*keepdim=*/true);  // (B, C, 1, 1)
        return x * fc2_->forward(fc1_->forward(means).relu_()).sigmoid();
    }

 private:
    Conv2d fc1_, fc2_;
};

class PreActivationBlock : public Block {
 public:
    explicit PreActivationBlock(const BlockSize& size)
        : bn1_(register_module("bn1", BatchNorm2d(size.in))),
          conv1_(register_module("conv1", convolution({size.in, size.out, 3, size.stride}))),
          bn2_(register_module("bn2", BatchNorm2d(size.out))),
          conv2_(register_module("conv2", convolution({size.out, size.out, 3}))) {
        if (!size.sameShape()) {
            downsample_ = register_module("downsample", std::make_shared<Downsample>(size, false));
        }
        se_ = register_module("se", std::make_shared<SqueezeExcitation>(size.out));
    }

    at::Tensor forward(const at::Tensor& x) override {
        const at::Tensor active = bn1_->forward(x).relu_();
        const at::Tensor shortcut = downsample_ == nullptr ? x : downsample_->forward(active);
        const at::Tensor y = conv2_->forward(bn2_->forward(conv1_->forward(active)).relu_());
        return se_->forward(y).add_(shortcut);
    }

 private:
    BatchNorm2d bn1_;
    Conv2d conv1_;
    BatchNorm2d bn2_;
    Conv2d conv2_;
    std::shared_ptr<Downsample> downsample_;
    std::shared_ptr<SqueezeExcitation> se_;
};

std::shared_ptr<Block> makeBlock(BlockKind kind, const BlockSize& size) {
    if (kind == BlockKind::PreActivation) {
        return std::make_shared<PreActivationBlock>(size);
    }
    return std::make_shared<BasicBlock>(size, kind == BlockKind::Projected);
}

class ResidualNet : public Model {
 public:
    ResidualNet(const ResidualPlan& plan, const DataForm& data)
        : conv1_(
              register_module("conv1", convolution({data.inputShape[0], plan.widths.front(), 3}))),
          bn1_(register_module("bn1", BatchNorm2d(plan.widths.front()))) {
        BlockSize size{plan.widths.front(), 0, 0};
        for (std::size_t stage = 0; stage < plan.widths.size(); ++stage) {
            const auto blocks = std::make_shared<Chain>();
            size.out = plan.widths[stage];
            size.stride = stage == 0 ? 1 : 2;
            for (int block = 0; block < plan.blocksPerStage; ++block) {
                blocks->add(std::to_string(block), makeBlock(plan.block, size));
                size = {size.out, size.out, 1};
            }
            stages_.push_back(register_module("layer" + std::to_string(stage + 1), blocks));
        }
        fc_ = register_module("fc", torch::nn::Linear(plan.widths.back(), data.outputs));
        initializeKaiming(*this, Fan::Out);
    }

    at::Tensor forward(const at::Tensor& inputs) override {
        at::Tensor x = bn1_->forward(conv1_->forward(inputs)).relu_();
        for (const auto& stage : stages_) {
            x = stage->forward(x);
        }
        return fc_->forward(globalMean(x));
    }

 private:
    Conv2d conv1_;
    BatchNorm2d bn1_;
    std::vector<std::shared_ptr<Chain>> stages_;
    torch::nn::Linear fc_{nullptr};
};

}  // namespace

std::shared_ptr<Model> makeResnet18(const Settings& /*options*/, const DataForm& data) {
    return std::make_shared<ResidualNet>(ResidualPlan{BlockKind::Projected, 2, {64, 128, 256, 512}},
                                         data);
}

std::shared_ptr<Model> makeResnet20(const Settings& /*options*/, const DataForm& data) {
    return std::make_shared<ResidualNet>(ResidualPlan{BlockKind::Padded, 3, {16, 32, 64}}, data);
}

std::shared_ptr<Model> makeSenet18(const Settings& /*options*/, const DataForm& data) {
    return std::make_shared<ResidualNet>(
        ResidualPlan{BlockKind::PreActivation, 2, {64, 128, 256, 512}}, data);
}

}  // namespace concertina
