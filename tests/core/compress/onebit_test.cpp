// SPDX-License-Identifier: Apache-2.0
// What is special to 1-bit SGD; what every compressor must hold is in
// tests/contract/compressor_test.cpp.
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include "core/compress/compressor.h"
#include "tests/contract/compressor_ranks.h"

namespace concertina {
namespace {

TEST(Onebit, TwoRanksByHand) {
    const Shape shape{2, 3};
    CompressorRanks world("onebit", 2);
    std::vector<at::Tensor> inputs{at::tensor({1.F, 3.F, -4.F, -1.F, -2.F, -6.F}),
                                   at::tensor({5.F, 5.F, 5.F, 0.F, 2.F, -8.F})};
    const at::Tensor mean = world.step(planOf("onebit", shape, {}), shape, inputs);
    EXPECT_TRUE(mean.equal(at::tensor({3.5F, 3.5F, 0.5F, -1.F, -1.F, -5.5F})));
    EXPECT_TRUE(inputs[0].equal(at::tensor({-1.F, 1.F, 0.F, 2.F, 1.F, -3.F})));
    EXPECT_TRUE(inputs[1].equal(at::tensor({0.F, 0.F, 0.F, -1.F, 1.F, 0.F})));
    EXPECT_EQ(world.sent()[0].numel(), 8 * 2 + 4);
}

// The means are per unit that comes out: a large one does not drown a small one.
TEST(Onebit, RowsHaveTheirOwnMeans) {
    const Shape shape{2, 1, 1, 2};
    CompressorRanks world("onebit", 1);
    std::vector<at::Tensor> inputs{at::tensor({1000.F, -1000.F, 0.001F, -0.001F})};
    const at::Tensor input = inputs[0].clone();
    EXPECT_TRUE(world.step(planOf("onebit", shape, {}), shape, inputs).equal(input));
}

}  // namespace
}  // namespace concertina
