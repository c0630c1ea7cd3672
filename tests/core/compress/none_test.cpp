// SPDX-License-Identifier: Apache-2.0
// What is special to none: its halves. What every compressor must hold is in
// tests/contract/compressor_test.cpp.
#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include "core/compress/compressor.h"
#include "tests/contract/compressor_ranks.h"

namespace concertina {
namespace {

LevelPlan halves(const char* dtype, const Shape& shape) {
    return planOf("none", shape, {{"dtype", std::string(dtype)}});
}

at::ScalarType typeOf(const std::string& dtype) {
    return dtype == "fp16" ? at::kHalf : at::kBFloat16;
}

// The same as dividing, rounding and adding up by torch.
TEST(None, HalvesAreDividedThenSummed) {
    const Shape shape{5, 7};
    for (const char* dtype : {"fp16", "bf16"}) {
        for (const int ranks : {1, 2, 3}) {
            CompressorRanks world("none", ranks);
            std::vector<at::Tensor> inputs;
            for (int rank = 0; rank < ranks; ++rank) {
                inputs.push_back(normalTensor(shape, static_cast<std::uint64_t>(rank)));
            }
            at::Tensor expected = (inputs[0] / ranks).to(typeOf(dtype));
            for (int rank = 1; rank < ranks; ++rank) {
                expected += (inputs[static_cast<std::size_t>(rank)] / ranks).to(typeOf(dtype));
            }
            const at::Tensor mean = world.step(halves(dtype, shape), shape, inputs);
            EXPECT_TRUE(mean.equal(expected.to(at::kFloat))) << dtype << " " << ranks;
        }
    }
}

TEST(None, WhatAHalfCannotHoldIsTheResidual) {
    const Shape shape{3, 1};
    CompressorRanks world("none", 2);
    std::vector<at::Tensor> inputs{at::tensor({1.F + 0x1p-14F, 3e-9F, 1e6F}),
                                   at::tensor({-2.F, 0.F, 1.F})};
    const at::Tensor mean = world.step(halves("fp16", shape), shape, inputs);
    EXPECT_EQ(mean[0].item<float>(), -0.5F);
    EXPECT_EQ(inputs[0][0].item<float>(), 0x1p-14F);
    EXPECT_EQ(inputs[0][1].item<float>(), 3e-9F);               // below the smallest half
    EXPECT_NEAR(inputs[0][2].item<float>(), 1e6F - 65440, 64);  // above the largest
    EXPECT_EQ(inputs[1][0].item<float>(), 0);
}

// 65,504 on each of three ranks: fp16 sums of their thirds would be infinite.
TEST(None, TheLargestHalvesDoNotOverflowTheirSum) {
    const Shape shape{1, 2};
    for (const int ranks : {2, 3, 5, 8}) {
        CompressorRanks world("none", ranks);
        std::vector<at::Tensor> inputs;
        for (int rank = 0; rank < ranks; ++rank) {
            inputs.push_back(at::full({2}, 65504.F));
        }
        const at::Tensor mean = world.step(halves("fp16", shape), shape, inputs);
        EXPECT_TRUE(mean.isfinite().all().item<bool>()) << ranks;
        EXPECT_NEAR(mean[0].item<float>(), 65504, 65504 * ranks / 1024.0) << ranks;
    }
}

TEST(None, AnOddCountIsPaddedWithZero) {
    const Shape shape{1, 3};
    CompressorRanks world("none", 1);
    std::vector<at::Tensor> inputs{at::tensor({1.F, 2.F, 3.F})};
    EXPECT_TRUE(
        world.step(halves("bf16", shape), shape, inputs).equal(at::tensor({1.F, 2.F, 3.F})));
    ASSERT_EQ(world.sent()[0].numel(), 8);
    EXPECT_EQ(world.sent()[0].view(at::kShort)[3].item<int>(), 0);
}

}  // namespace
}  // namespace concertina
