// SPDX-License-Identifier: Apache-2.0
// What is special to natural compression; its arithmetic is tested in tests/kernels, what every
// compressor must hold in tests/contract/compressor_test.cpp.
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include "core/compress/compressor.h"
#include "tests/contract/compressor_ranks.h"

namespace concertina {
namespace {

Settings coded(const char* coding, std::int64_t bits = 4) {
    return {{"coding", std::string(coding)}, {"bits", bits}};
}

TEST(Natural, PowersOfTwoTravelUnchangedAndTheMeanIsExact) {
    const Shape shape{1, 4};
    CompressorRanks world("natural", 2);
    std::vector<at::Tensor> inputs{at::tensor({1.F, -8.F, 0.F, 0.25F}),
                                   at::tensor({2.F, 4.F, 0.F, -0.25F})};
    const at::Tensor mean = world.step(planOf("natural", shape, coded("exponent")), shape, inputs);
    EXPECT_TRUE(mean.equal(at::tensor({1.5F, -2.F, 0.F, 0.F})));
    EXPECT_EQ(inputs[0].ne(0).sum().item<std::int64_t>(), 0);
    EXPECT_EQ(world.sent()[0].numel(), 8);  // 4 x 9 bits
}

TEST(Natural, AnElementBecomesOneOfThePowersAroundIt) {
    const Shape shape{1, 1};
    CompressorRanks world("natural", 1);
    int lower = 0;
    for (int step = 0; step < 100; ++step) {
        std::vector<at::Tensor> inputs{at::tensor({-3.F})};
        const float value =
            world.step(planOf("natural", shape, coded("exponent")), shape, inputs, step)
                .item<float>();
        EXPECT_TRUE(value == -2 || value == -4) << value;
        lower += value == -2 ? 1 : 0;
    }
    EXPECT_GT(lower, 20);  // of 100 tosses of a coin: less in 1 of 10^9 seeds
    EXPECT_LT(lower, 80);
}

TEST(Natural, DitheringHasHalvesOfTheNormAsLevels) {
    const Shape shape{1, 6};
    const Settings options{{"norm", std::string("max")}};
    CompressorRanks world("natural", 1, 1, options);
    const LevelPlan plan = planOf("natural", shape, coded("dithering", 3), options);
    std::vector<at::Tensor> inputs{at::tensor({16.F, -8.F, 4.F, 0.F, -16.F, 0.F})};
    const at::Tensor input = inputs[0].clone();
    EXPECT_TRUE(world.step(plan, shape, inputs).equal(input));  // 1, 1/2, 1/4 of 16
}

}  // namespace
}  // namespace concertina
