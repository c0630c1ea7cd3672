// SPDX-License-Identifier: Apache-2.0
// What is special to QSGD; its arithmetic is tested in tests/kernels, what every compressor must
// hold in tests/contract/compressor_test.cpp.
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/base/error.h"
#include "core/compress/compressor.h"
#include "tests/contract/compressor_ranks.h"

namespace concertina {
namespace {

Settings bitsAndSteps(std::int64_t bits, std::int64_t steps) {
    return {{"bits", bits}, {"s", steps}};
}

const Settings kElias{{"coding", std::string("elias")}};
const Settings kMax{{"norm", std::string("max")}};

// Norm 5, s = 1: 3 and 4 become 0 or 5; s = 5 divides them exactly.
TEST(Qsgd, LevelsAreMultiplesOfTheNorm) {
    const Shape shape{1, 2};
    const LevelPlan plan = planOf("qsgd", shape, bitsAndSteps(4, 5));
    CompressorRanks world("qsgd", 1);
    std::vector<at::Tensor> inputs{at::tensor({3.F, -4.F})};
    const at::Tensor mean = world.step(plan, shape, inputs);
    EXPECT_TRUE(mean.allclose(at::tensor({3.F, -4.F}), 0, 1e-6));
    const LevelPlan one = planOf("qsgd", shape, bitsAndSteps(2, 0));
    for (int step = 0; step < 20; ++step) {
        inputs = {at::tensor({3.F, -4.F})};
        const at::Tensor rounded = world.step(one, shape, inputs, step);
        EXPECT_TRUE(rounded[0].item<float>() == 0 || rounded[0].item<float>() == 5);
        EXPECT_TRUE(rounded[1].item<float>() == 0 || rounded[1].item<float>() == -5);
        EXPECT_EQ(inputs[0][0].item<float>(), 3 - rounded[0].item<float>());
    }
}

// Were all ranks to draw the same words, the mean over ranks would be as noisy as one of them.
TEST(Qsgd, RanksLayersAndStepsDrawForThemselves) {
    const Shape shape{8, 16};
    const LevelPlan plan = planOf("qsgd", shape, bitsAndSteps(2, 0));
    CompressorRanks world("qsgd", 4);
    const at::Tensor input = normalTensor(shape, 1);
    const auto meanOf = [&](std::int64_t step, int layer) {
        std::vector<at::Tensor> inputs{input.clone(), input.clone(), input.clone(), input.clone()};
        return world.step(plan, shape, inputs, step, layer);
    };
    const at::Tensor mean = meanOf(0, 0);
    const float norm = input.norm().item<float>();
    EXPECT_GT((mean.abs().gt(0) & mean.abs().lt(0.99 * norm)).sum().item<std::int64_t>(), 0);
    EXPECT_FALSE(mean.equal(meanOf(1, 0)));
    EXPECT_FALSE(mean.equal(meanOf(0, 1)));
    EXPECT_TRUE(mean.equal(meanOf(0, 0)));
}

TEST(Qsgd, EliasGivesWhatPackedGivesInFewerBytes) {
    const Shape shape{64, 512};
    for (const Settings& level : {bitsAndSteps(2, 0), bitsAndSteps(4, 0), bitsAndSteps(8, 0)}) {
        CompressorRanks packed("qsgd", 2);
        CompressorRanks elias("qsgd", 2, 1, kElias);
        std::vector<at::Tensor> inputs{normalTensor(shape, 1), normalTensor(shape, 2)};
        auto copies = copiesOf(inputs);
        const at::Tensor mean = packed.step(planOf("qsgd", shape, level), shape, inputs);
        EXPECT_TRUE(
            sameBits(mean, elias.step(planOf("qsgd", shape, level, kElias), shape, copies)));
        EXPECT_TRUE(sameBits(inputs[0], copies[0]));
        if (integerOf(level, "bits") < 8) {
            EXPECT_LT(elias.sent()[0].numel(), packed.sent()[0].numel());
        }
    }
}

// The forecast is what normally distributed values take: within 3 %.
TEST(Qsgd, EliasTakesWhatThePlanForetells) {
    const Shape shape{64, 8192};
    for (const Settings& norm : {Settings{}, kMax}) {
        for (const std::int64_t steps : {1, 3, 7, 22, 127, 5000}) {
            Settings options = kElias;
            options.insert(norm.begin(), norm.end());
            const LevelPlan plan = planOf("qsgd", shape, bitsAndSteps(4, steps), options);
            CompressorRanks world("qsgd", 1, 1, options);
            std::vector<at::Tensor> inputs{normalTensor(shape, 3)};
            world.step(plan, shape, inputs);
            const auto expected = static_cast<double>(plan.phases()[0].payloadBytes);
            const auto sent = static_cast<double>(world.sent()[0].numel());
            EXPECT_NEAR(sent / expected, 1, 0.03) << "s = " << steps;
        }
    }
}

TEST(Qsgd, ACorruptedStreamIsAnErrorNotAWriteElsewhere) {
    const Shape shape{1, 2};
    Settings level = bitsAndSteps(4, 0);
    const LevelPlan plan = planOf("qsgd", shape, level, kElias);
    Settings options = kElias;
    options.insert({{"bucket", std::int64_t{512}}, {"norm", std::string("l2")}});
    const auto qsgd = makeCompressor({"qsgd", options}, {});
    LayerWork work{};
    work.shape = &shape;
    work.level = &level;
    work.plan = &plan.plan;
    work.output = at::zeros({2});
    work.rowBytes = {12};
    const at::Tensor row = at::tensor({0x3F800000, 2, -1}, at::kInt).view(at::kByte).view({1, 12});
    try {
        qsgd->decode(0, work, row);
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "the Elias stream of bucket 0 of rank 0 is corrupted");
    }
}

}  // namespace
}  // namespace concertina
