// SPDX-License-Identifier: Apache-2.0
// What is special to RandomK; what every compressor must hold is in
// tests/contract/compressor_test.cpp.
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/compress/compressor.h"
#include "tests/contract/compressor_ranks.h"
#include "tests/support/conflicts.h"

namespace concertina {
namespace {

const Shape kShape{4, 25};

Settings options(bool block, const char* scale) {
    return {{"block", block}, {"scale", std::string(scale)}, {"error_feedback", scale[0] == 'n'}};
}

LevelPlan keeping(double ratio) { return planOf("randomk", kShape, {{"ratio", ratio}}); }

std::vector<std::int64_t> placesOf(const at::Tensor& mean) {
    std::vector<std::int64_t> places;
    for (std::int64_t i = 0; i < mean.numel(); ++i) {
        if (mean[i].item<float>() != 0) {
            places.push_back(i);
        }
    }
    return places;
}

at::Tensor ones() { return at::full({100}, 1.F); }

TEST(Randomk, SendsTheSameDifferentPlacesOnAllRanks) {
    for (const bool block : {false, true}) {
        CompressorRanks world("randomk", 3, 1, options(block, "none"));
        for (int step = 0; step < 20; ++step) {
            std::vector<at::Tensor> inputs{ones(), ones() * 2, ones() * 6};
            const at::Tensor mean = world.step(keeping(0.17), kShape, inputs, step);
            ASSERT_EQ(placesOf(mean).size(), 17U);  // not fewer: none is drawn twice
            for (std::size_t rank = 0; rank < 3; ++rank) {
                const float value = rank == 0 ? 1.F : rank == 1 ? 2.F : 6.F;
                EXPECT_TRUE(inputs[rank].equal(ones() * value - mean / 3 * value));
            }
            EXPECT_EQ(mean.max().item<float>(), 3);
            EXPECT_EQ(world.sent()[0].numel(), 4 * 17);
        }
    }
}

TEST(Randomk, PlacesChangeWithStepLayerAndSeed) {
    const auto draw = [](std::uint64_t seed, std::int64_t step, int layer) {
        CompressorRanks world("randomk", 1, seed, options(false, "none"));
        std::vector<at::Tensor> inputs{ones()};
        return placesOf(world.step(keeping(0.2), kShape, inputs, step, layer));
    };
    const auto places = draw(1, 5, 2);
    EXPECT_EQ(places, draw(1, 5, 2));
    EXPECT_NE(places, draw(1, 6, 2));
    EXPECT_NE(places, draw(1, 5, 3));
    EXPECT_NE(places, draw(2, 5, 2));
}

TEST(Randomk, ABlockIsOneWindowThatMayWrap) {
    CompressorRanks world("randomk", 1, 1, options(true, "none"));
    bool wrapped = false;
    for (int step = 0; step < 100; ++step) {
        std::vector<at::Tensor> inputs{ones()};
        const at::Tensor mean = world.step(keeping(0.3), kShape, inputs, step);
        int edges = 0;
        for (std::int64_t i = 0; i < 100; ++i) {
            edges += mean[i].item<float>() != mean[(i + 1) % 100].item<float>();
        }
        EXPECT_EQ(edges, 2) << step;
        wrapped = wrapped || (mean[0].item<float>() != 0 && mean[99].item<float>() != 0);
    }
    EXPECT_TRUE(wrapped);  // in 29 of 100 draws; never: 0.71^100, one in 10^14
}

// Mean of 4,000 draws: a standard error of 0.05 for 1 at ratio 0.1; none of 100 elements is six of
// those away (a false alarm in 2 of 10^7 seeds).
TEST(Randomk, UnbiasedScalingIsRightOnAverage) {
    for (const bool block : {false, true}) {
        CompressorRanks world("randomk", 1, 1, options(block, "unbiased"));
        at::Tensor sum = at::zeros({100}, at::kDouble);
        for (int draw = 0; draw < 4000; ++draw) {
            std::vector<at::Tensor> inputs{ones()};
            sum += world.step(keeping(0.1), kShape, inputs, draw);
        }
        const double standardError = std::sqrt((10 - 1) / 4000.0);
        EXPECT_LE((sum / 4000 - 1).abs().max().item<double>(), 6 * standardError) << block;
    }
}

// E |x - C(x)|^2 = (1 - k / n) |x|^2: of 4,000 draws of one of 100 elements that is 1, the share
// left behind has a standard error of 0.0047; six of those: a false alarm in 2 of 10^9 seeds.
TEST(Randomk, ContractsByKOfNOnAverage) {
    CompressorRanks world("randomk", 1, 1, options(false, "none"));
    double left = 0;
    for (int draw = 0; draw < 4000; ++draw) {
        std::vector<at::Tensor> inputs{at::zeros({100})};
        inputs[0][41] = 1;
        world.step(keeping(0.1), kShape, inputs, draw);
        left += inputs[0].square().sum().item<double>() / 4000;
    }
    EXPECT_NEAR(left, 0.9, 6 * std::sqrt(0.9 * 0.1 / 4000));
}

TEST(Randomk, UnbiasedScalingRefusesErrorFeedback) {
    const auto problems = [](const char* scale, bool feedback) {
        return conflictsOf("randomk", {},
                           {{"scale", std::string(scale)}, {"error_feedback", feedback}});
    };
    EXPECT_EQ(problems("unbiased", true),
              std::vector<std::string>{
                  "scale: found unbiased with error_feedback true, allowed there: none"});
    EXPECT_TRUE(problems("unbiased", false).empty());
    EXPECT_TRUE(problems("none", true).empty());
}

}  // namespace
}  // namespace concertina
