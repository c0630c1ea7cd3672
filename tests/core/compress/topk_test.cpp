// SPDX-License-Identifier: Apache-2.0
// What is special to TopK; what every compressor must hold is in
// tests/contract/compressor_test.cpp.
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cstring>

#include "core/base/error.h"
#include "core/compress/compressor.h"
#include "tests/contract/compressor_ranks.h"

namespace concertina {
namespace {

const Shape kShape{2, 4};

BytePlan keeping(std::int64_t kept) { return {.phases = {{Reduction::Gather, 8 * kept}}}; }

TEST(Topk, TwoRanksByHand) {
    CompressorRanks world("topk", 2);
    std::vector<at::Tensor> inputs{at::tensor({1.F, -8.F, 2.F, 0.F, 0.F, 4.F, 0.F, 0.F}),
                                   at::tensor({1.F, 6.F, 2.F, 0.F, 0.F, 0.F, 0.F, -2.5F})};
    const at::Tensor mean = world.step(keeping(2), kShape, inputs);
    EXPECT_TRUE(mean.equal(at::tensor({0.F, -1.F, 0.F, 0.F, 0.F, 2.F, 0.F, -1.25F})));
    EXPECT_TRUE(inputs[0].equal(at::tensor({1.F, 0.F, 2.F, 0.F, 0.F, 0.F, 0.F, 0.F})));
    EXPECT_TRUE(inputs[1].equal(at::tensor({1.F, 0.F, 2.F, 0.F, 0.F, 0.F, 0.F, 0.F})));
}

TEST(Topk, ThePayloadIsIndicesThenValues) {
    CompressorRanks world("topk", 1);
    std::vector<at::Tensor> inputs{at::tensor({1.F, -8.F, 2.F, 0.F, 0.F, 4.F, 0.F, 0.F})};
    world.step(keeping(3), kShape, inputs);
    const auto* words = static_cast<const std::int32_t*>(world.sent()[0].const_data_ptr());
    EXPECT_EQ(words[0], 1);
    EXPECT_EQ(words[1], 2);
    EXPECT_EQ(words[2], 5);
    float values[3];
    std::memcpy(values, words + 3, sizeof(values));
    EXPECT_EQ(values[0], -8);
    EXPECT_EQ(values[1], 2);
    EXPECT_EQ(values[2], 4);
}

// Whole numbers and a power of two of ranks: nothing rounds, so nothing may be lost, whatever is
// kept.
TEST(Topk, ResidualsAndMeanAddUpExactly) {
    const Shape shape{40, 50};
    for (const std::int64_t kept : {1, 20, 1999, 2000}) {
        CompressorRanks world("topk", 4);
        std::vector<at::Tensor> inputs;
        for (int rank = 0; rank < 4; ++rank) {
            inputs.push_back(wholeTensor(shape, 1000, rank));
        }
        const at::Tensor before = sumOf(inputs);
        const at::Tensor mean = world.step(keeping(kept), shape, inputs);
        EXPECT_TRUE((sumOf(inputs) + mean.to(at::kDouble) * 4).equal(before)) << kept;
    }
}

TEST(Topk, KeepingAllLeavesNoResidual) {
    CompressorRanks world("topk", 1);
    std::vector<at::Tensor> inputs{normalTensor(kShape, 1)};
    const at::Tensor input = inputs[0].clone();
    EXPECT_TRUE(world.step(keeping(8), kShape, inputs).equal(input));
    EXPECT_EQ(inputs[0].ne(0).sum().item<std::int64_t>(), 0);
}

TEST(Topk, ACorruptedPayloadIsAnErrorNotAWriteElsewhere) {
    const auto topk = makeCompressor({"topk", {}}, {});
    const BytePlan plan = keeping(1);
    const Settings level;
    LayerWork work{0, &kShape, &level, &plan, 0, at::zeros({8}), at::zeros({8})};
    const at::Tensor combined = at::tensor({8, 0}, at::kInt).view(at::kByte).view({1, 8});
    try {
        topk->decode(0, work, combined);
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(),
                     "the sparse list of rank 0 names element 8 at position 0, but the tensor has "
                     "elements 0 to 7");
    }
}

// A bucket's layers travel in one all-gather, so the rows of one layer lie a whole bucket apart.
TEST(Topk, RowsOfTheGatheredPayloadMayLieApart) {
    const auto topk = makeCompressor({"topk", {}}, {0, 2, 1});
    const BytePlan plan = keeping(1);
    const Settings level;
    LayerWork work{0, &kShape, &level, &plan, 0, at::zeros({8}), at::zeros({8})};
    const int four = 0x40800000;  // as fp32
    const int two = 0x40000000;
    const at::Tensor bucket =
        at::tensor({0, 0, 7, four, 0, 0, 0, 7, two, 0}, at::kInt).view({2, 5});
    topk->decode(0, work, bucket.view(at::kByte).narrow(1, 8, 8));
    EXPECT_EQ(work.output[7].item<float>(), 3);
}

TEST(Topk, APlanThatDoesNotFitTheTensorIsABug) {
    CompressorRanks world("topk", 1);
    std::vector<at::Tensor> inputs{normalTensor(kShape, 1)};
    EXPECT_THROW(world.step(keeping(9), kShape, inputs), std::logic_error);
    EXPECT_THROW(world.step(keeping(0), kShape, inputs), std::logic_error);
}

}  // namespace
}  // namespace concertina
