// SPDX-License-Identifier: Apache-2.0
// What is special to DGC; what every compressor must hold is in
// tests/contract/compressor_test.cpp.
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "tests/core/compress/single_layer.h"

namespace concertina {
namespace {

Settings atRatio(double ratio) { return {{"ratio", ratio}}; }
Settings warmup(std::int64_t steps) { return {{"warmup_steps", steps}}; }

std::int64_t sentBy(const at::Tensor& input,
                    double ratio,
                    const Settings& options = {},
                    std::int64_t step = 0) {
    const auto dgc = compressorWith("dgc", options);
    SingleLayer layer("dgc", input, atRatio(ratio), options);
    layer.work.step = step;
    return layer.send(*dgc).numel() / 8;
}

TEST(Dgc, SendsAboutTheRatio) {
    for (const std::int64_t elements : {1000, 65535, 65536, 300000}) {
        for (const double ratio : {0.001, 0.01, 0.1}) {
            const at::Tensor input = normalTensor({1, elements}, 1);
            const double share =
                static_cast<double>(sentBy(input, ratio)) / (ratio * static_cast<double>(elements));
            EXPECT_GE(share, 0.7) << elements << " " << ratio;
            EXPECT_LE(share, 1.3) << elements << " " << ratio;
        }
    }
}

// 100 of 100,000 are not zero: the sample of 1000 sees few of them, and the count puts the
// threshold right: at 50, the half of them, to 30 %. Of values that are all alike none or all can
// pass, and all do.
TEST(Dgc, CountingCorrectsWhatTheSampleMissed) {
    at::Tensor input = at::zeros({100000});
    for (int i = 0; i < 100; ++i) {
        input[i * 997] = 1.0F + static_cast<float>(i);
    }
    const std::int64_t sent = sentBy(input, 0.0005);
    EXPECT_GE(sent, 35);
    EXPECT_LE(sent, 65);
    EXPECT_EQ(sentBy(at::ones({100000}), 0.0005), 100000 / 2);  // 4 bytes an element
    EXPECT_EQ(sentBy(at::zeros({100000}), 0.0005), 0);
}

// k of 1024 elements, counted exactly because so few are not sampled.
TEST(Dgc, WarmUpComesDownToTheRatioInFourParts) {
    const at::Tensor input = normalTensor({1, 1024}, 1);
    const auto sent = [&](std::int64_t step, double ratio) {
        return sentBy(input, ratio, warmup(100), step);
    };
    EXPECT_EQ(sent(0, 0.001), 256);
    EXPECT_EQ(sent(24, 0.001), 256);
    EXPECT_EQ(sent(25, 0.001), 64);
    EXPECT_EQ(sent(50, 0.001), 16);
    EXPECT_EQ(sent(75, 0.001), 4);
    EXPECT_EQ(sent(99, 0.001), 4);
    EXPECT_EQ(sent(100, 0.001), 2);   // ceil(1.024)
    EXPECT_EQ(sent(75, 0.125), 128);  // never below the level's own
}

TEST(Dgc, MasksTheMomentumOfWhatItSends) {
    const auto dgc = compressorWith("dgc");
    SingleLayer layer("dgc", at::tensor({1.F, -9.F, 2.F, 8.F, 0.F}), atRatio(0.4));
    layer.work.momentum = at::tensor({1.F, 2.F, 3.F, 4.F, 5.F});
    layer.send(*dgc);
    EXPECT_TRUE(layer.work.output.equal(at::tensor({0.F, -9.F, 0.F, 8.F, 0.F})));
    EXPECT_TRUE(layer.work.momentum.equal(at::tensor({1.F, 0.F, 3.F, 0.F, 5.F})));
    SingleLayer all("dgc", at::tensor({1.F, -9.F, 2.F}), atRatio(1));
    all.work.momentum = at::tensor({1.F, 2.F, 3.F});
    all.send(*dgc);
    EXPECT_TRUE(all.work.momentum.eq(0).all().item<bool>());
}

TEST(Dgc, TheSampleDependsOnSeedLayerStepAndRankOnly) {
    const Shape shape{300, 400};
    const at::Tensor input = normalTensor(shape, 1);
    const auto messageOf = [&](std::uint64_t seed, std::int64_t step) {
        CompressorRanks world("dgc", 1, seed);
        std::vector<at::Tensor> inputs{input.clone()};
        world.step(planOf("dgc", shape, atRatio(0.01)), shape, inputs, step);
        return world.sent()[0];
    };
    EXPECT_TRUE(sameBits(messageOf(1, 5), messageOf(1, 5)));
    EXPECT_FALSE(sameBits(messageOf(1, 5), messageOf(1, 6)));
    EXPECT_FALSE(sameBits(messageOf(1, 5), messageOf(2, 5)));
}

}  // namespace
}  // namespace concertina
