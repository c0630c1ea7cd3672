// SPDX-License-Identifier: Apache-2.0
// What convolutional networks are built of. Used by the models of this folder, on the thread that
// trains.
#pragma once
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/conv.h>

#include <memory>
#include <string>
#include <vector>

namespace concertina {

/// A part of a network with one input and one output.
class Block : public torch::nn::Module {
 public:
    virtual at::Tensor forward(const at::Tensor& x) = 0;  // (B, C, H, W) -> (B, C', H', W')
};

/// Blocks in a row, named by the caller: what torch::nn::Sequential is, without its templates,
/// which take seconds to compile in every file.
class Chain : public Block {
 public:
    void add(const std::string& name, std::shared_ptr<Block> block);
    at::Tensor forward(const at::Tensor& x) override;

 private:
    std::vector<std::shared_ptr<Block>> blocks_;
};

struct ConvSize {
    std::int64_t in, out, kernel;
    std::int64_t stride = 1;
    bool bias = false;
};
/// Padded so that stride 1 keeps height and width. REQUIRES: kernel is odd.
torch::nn::Conv2d convolution(const ConvSize& size);

/// Convolution, batch norm, ReLU: conv and bn, as torchvision names them.
class ConvNorm : public Block {
 public:
    explicit ConvNorm(const ConvSize& size);
    at::Tensor forward(const at::Tensor& x) override;

 private:
    torch::nn::Conv2d conv_;
    torch::nn::BatchNorm2d bn_;
};

/// (B, C, H, W) -> (B, C): the mean over each channel.
at::Tensor globalMean(const at::Tensor& x);

enum class Fan { In, Out };
/// He et al. 2015: every convolution's weights normal with variance 2 / fan, its bias, if any, 0.
void initializeKaiming(torch::nn::Module& network, Fan fan);

}  // namespace concertina
