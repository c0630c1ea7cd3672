// SPDX-License-Identifier: Apache-2.0
// What is special to TernGrad; what every compressor must hold is in
// tests/contract/compressor_test.cpp.
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/compress/compressor.h"
#include "tests/contract/compressor_ranks.h"

namespace concertina {
namespace {

Settings clipped(double sigmas) { return {{"clip", sigmas}}; }

const Settings kShared{{"shared_scaler", true}};

TEST(Terngrad, SendsTheLargestMagnitudeAndTernaryCodes) {
    const Shape shape{1, 4};
    CompressorRanks world("terngrad", 1);
    const LevelPlan plan = planOf("terngrad", shape, clipped(0));
    for (int step = 0; step < 20; ++step) {
        std::vector<at::Tensor> inputs{at::tensor({8.F, -8.F, 0.F, 2.F})};
        const at::Tensor mean = world.step(plan, shape, inputs, step);
        EXPECT_EQ(mean[0].item<float>(), 8);
        EXPECT_EQ(mean[1].item<float>(), -8);
        EXPECT_EQ(mean[2].item<float>(), 0);
        EXPECT_TRUE(mean[3].item<float>() == 0 || mean[3].item<float>() == 8);
        EXPECT_EQ(world.sent()[0].numel(), 8);
        EXPECT_EQ(world.sent()[0].view(at::kFloat)[0].item<float>(), 8);
    }
}

// 99 ones and a 100: sigma is 10.05, so 100 counts as 25.1, and 1 is 4 times as likely to survive
// as beside 100.
TEST(Terngrad, ClipsAtSigmasOfTheLayer) {
    const Shape shape{1, 100};
    at::Tensor input = at::ones({100});
    input[7] = -100;
    CompressorRanks world("terngrad", 1);
    std::vector<at::Tensor> inputs{input.clone()};
    const at::Tensor mean = world.step(planOf("terngrad", shape, clipped(2.5)), shape, inputs);
    const double scale = 2.5 * std::sqrt((99 + 1e4) / 100);
    EXPECT_FLOAT_EQ(mean[7].item<float>(), static_cast<float>(-scale));
    EXPECT_FLOAT_EQ(inputs[0][7].item<float>(), static_cast<float>(scale - 100));
    EXPECT_TRUE((mean.eq(0) | mean.abs().eq(mean[7].abs())).all().item<bool>());
}

// 40,000 draws of 1 on a scale of 4 that the other rank brings: standard error of the mean of the
// two ranks' means 0.0043.
TEST(Terngrad, ASharedScalerIsTheLargestOfAllRanks) {
    const Shape shape{1, 40000};
    CompressorRanks world("terngrad", 2, 1, kShared);
    std::vector<at::Tensor> inputs{at::ones({40000}), at::full({40000}, 4.F)};
    const LevelPlan plan = planOf("terngrad", shape, clipped(2.5), kShared);
    const at::Tensor mean = world.step(plan, shape, inputs);
    ASSERT_EQ(world.sent().size(), 2U);
    EXPECT_EQ(world.sent()[0].numel(), 4);
    EXPECT_EQ(world.sent()[1].numel(), 10000);
    // Rank 0 contributes 0 or 4, rank 1 always 4.
    EXPECT_TRUE((mean.eq(2) | mean.eq(4)).all().item<bool>());
    EXPECT_NEAR(mean.mean().item<double>(), 2.5, 6 * 0.0043);
}

}  // namespace
}  // namespace concertina
