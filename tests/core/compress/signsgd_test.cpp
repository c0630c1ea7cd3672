// SPDX-License-Identifier: Apache-2.0
// What is special to signSGD; what every compressor must hold is in
// tests/contract/compressor_test.cpp, what its error feedback mends in error_feedback_test.cpp
// there.
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include "core/compress/compressor.h"
#include "tests/contract/compressor_ranks.h"
#include "tests/support/conflicts.h"

namespace concertina {
namespace {

const Shape kShape{2, 2};

LevelPlan level(const char* scale, bool vote) {
    return planOf("signsgd", kShape, {{"scale", std::string(scale)}, {"vote", vote}});
}

at::Tensor meanOf(const LevelPlan& plan, const std::vector<at::Tensor>& given) {
    std::vector<at::Tensor> inputs = copiesOf(given);
    CompressorRanks world("signsgd", static_cast<int>(inputs.size()), 1,
                          {{"error_feedback", false}});
    return world.step(plan, kShape, inputs);
}

TEST(Signsgd, ScaledSignsByHand) {
    CompressorRanks world("signsgd", 2);
    std::vector<at::Tensor> inputs{at::tensor({1.F, -2.F, 0.F, 5.F}),    // scale 2
                                   at::tensor({-8.F, -8.F, 8.F, 8.F})};  // scale 8
    const at::Tensor mean = world.step(level("l1", false), kShape, inputs);
    EXPECT_TRUE(mean.equal(at::tensor({-3.F, -5.F, 5.F, 5.F})));
    EXPECT_TRUE(inputs[0].equal(at::tensor({-1.F, 0.F, -2.F, 3.F})));
    EXPECT_TRUE(inputs[1].equal(at::tensor({0.F, 0.F, 0.F, 0.F})));
    ASSERT_EQ(world.sent()[0].numel(), 8);
    EXPECT_EQ(world.sent()[0].view(at::kFloat)[0].item<float>(), 2);
    EXPECT_EQ(world.sent()[0][4].item<int>(), 0b0010);
}

TEST(Signsgd, PlainSignsAverage) {
    const at::Tensor mean = meanOf(level("none", false), {at::tensor({1.F, -2.F, 3.F, 5.F}),
                                                          at::tensor({9.F, -8.F, -8.F, 8.F})});
    EXPECT_TRUE(mean.equal(at::tensor({1.F, -1.F, 0.F, 1.F})));
}

TEST(Signsgd, AMajorityVotes) {
    const std::vector<at::Tensor> three{at::tensor({1.F, -1.F, 1.F, -1.F}),
                                        at::tensor({3.F, 3.F, -3.F, -3.F}),
                                        at::tensor({-5.F, 5.F, -5.F, -5.F})};
    EXPECT_TRUE(meanOf(level("none", true), three).equal(at::tensor({1.F, 1.F, -1.F, -1.F})));
    EXPECT_TRUE(meanOf(level("l1", true), three).equal(at::tensor({3.F, 3.F, -3.F, -3.F})));
    const std::vector<at::Tensor> two{three[0], three[1]};
    EXPECT_TRUE(meanOf(level("none", true), two).equal(at::tensor({1.F, 0.F, 0.F, -1.F})));
}

// A rank whose gradient is zero (a dead layer) neither votes nor moves anything.
TEST(Signsgd, AZeroTensorStaysZeroAtEveryLevel) {
    const at::Tensor zero = at::tensor({0.F, -0.F, 0.F, 0.F});
    const at::Tensor other = at::tensor({4.F, -4.F, 4.F, 4.F});
    for (const char* scale : {"l1", "none"}) {
        for (const bool vote : {false, true}) {
            EXPECT_EQ(meanOf(level(scale, vote), {zero, zero}).ne(0).sum().item<std::int64_t>(), 0);
            const float size = scale[0] == 'l' ? 4.F : 1.F;
            const at::Tensor alone = meanOf(level(scale, vote), {zero, other});
            EXPECT_TRUE(alone.equal(other.sign() * size * (vote ? 1.F : 0.5F))) << scale << vote;
        }
    }
}

TEST(Signsgd, ErrorFeedbackTakesScaledMeansOnly) {
    using Texts = std::vector<std::string>;
    const auto problems = [&](const char* scale, bool vote, bool feedback) {
        return conflictsOf("signsgd", {{"scale", std::string(scale)}, {"vote", vote}},
                           {{"error_feedback", feedback}});
    };
    const std::string scale = "scale: found none with error_feedback true, allowed there: l1";
    const std::string vote = "vote: found true with error_feedback true, allowed there: false";
    EXPECT_EQ(problems("l1", false, true), Texts{});
    EXPECT_EQ(problems("none", false, true), Texts{scale});
    EXPECT_EQ(problems("l1", true, true), Texts{vote});
    EXPECT_EQ(problems("none", true, true), (Texts{scale, vote}));
    EXPECT_EQ(problems("none", true, false), Texts{});
}

}  // namespace
}  // namespace concertina
