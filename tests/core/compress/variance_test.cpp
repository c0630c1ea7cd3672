// SPDX-License-Identifier: Apache-2.0
// What is special to Variance; what every compressor must hold is in
// tests/contract/compressor_test.cpp.
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "core/base/error.h"
#include "tests/core/compress/single_layer.h"

namespace concertina {
namespace {

const Settings kLevel{{"alpha", 2.5}};

/// One more step with `gradient`; returns what was sent.
at::Tensor stepWith(SingleLayer& layer, Compressor& compressor, const at::Tensor& gradient) {
    layer.feed(layer.work.input + gradient, gradient);
    layer.send(compressor);
    return layer.work.output;
}

// The same gradient every step: r = t g and v about t g^2, so r^2 > 2.5 v in the third step. One
// that changes its sign never gets there.
TEST(Variance, SendsWhatAgreesFromStepToStep) {
    const auto compressor = compressorWith("variance");
    SingleLayer layer("variance", at::zeros({5}), kLevel);
    const at::Tensor steady = at::tensor({0.F, 2.F, 0.F, -1.F, 0.F});
    const at::Tensor wavering = at::tensor({0.F, 0.F, 0.F, 4.F, 0.F});
    for (int round = 0; round < 3; ++round) {
        EXPECT_TRUE(stepWith(layer, *compressor, steady + wavering).eq(0).all().item<bool>());
        EXPECT_TRUE(stepWith(layer, *compressor, steady - wavering).eq(0).all().item<bool>());
        const at::Tensor third = stepWith(layer, *compressor, steady);
        EXPECT_TRUE(third.equal(at::tensor({0.F, 6.F, 0.F, 0.F, 0.F}))) << round << third;
    }
}

TEST(Variance, EachLayerHasItsOwnSpreadAndACheckpointKeepsThem) {
    const auto compressor = compressorWith("variance");
    SingleLayer second("variance", at::zeros({3}), kLevel, {}, 2);
    SingleLayer eleventh("variance", at::zeros({3}), kLevel, {}, 11);
    stepWith(second, *compressor, at::tensor({1.F, 0.F, 0.F}));
    stepWith(eleventh, *compressor, at::tensor({3.F, 0.F, 0.F}));
    const auto state = compressor->save();
    ASSERT_EQ(state.size(), 2U);
    EXPECT_EQ(state[0].first, "layer2.v");
    EXPECT_EQ(state[1].first, "layer11.v");
    EXPECT_TRUE(state[0].second.equal(at::tensor({0.999F, 0.F, 0.F})));
    EXPECT_TRUE(state[1].second.equal(at::tensor({9 * 0.999F, 0.F, 0.F})));

    const auto resumed = compressorWith("variance");
    const std::vector<Shape> shapes(12, Shape{3});
    resumed->load(state, shapes);
    SingleLayer again("variance", at::tensor({1.F, 0.F, 0.F}), kLevel, {}, 2);
    stepWith(again, *resumed, at::tensor({1.F, 0.F, 0.F}));
    stepWith(second, *compressor, at::tensor({1.F, 0.F, 0.F}));
    EXPECT_TRUE(sameBits(resumed->save()[0].second, compressor->save()[0].second));
    try {
        resumed->load({{"layer2.q", at::zeros({3})}}, shapes);
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(),
                     "the checkpoint's variance state holds \"layer2.q\", not layerN.v");
    }
    EXPECT_THROW(resumed->load({{"layer2.v", at::zeros({4})}}, shapes), Error);
    EXPECT_THROW(resumed->load({{"layer12.v", at::zeros({3})}}, shapes), Error);
}

// alpha 1 sends the first gradient of nobody: r^2 = v. Below, of everybody.
TEST(Variance, BelowOneTheFirstGradientIsSentAtOnce) {
    const auto compressor = compressorWith("variance");
    const at::Tensor gradient = at::tensor({1.F, 2.F, -3.F});
    SingleLayer below("variance", gradient, {{"alpha", 0.9}});
    below.send(*compressor);
    EXPECT_TRUE(below.work.output.equal(gradient));
    const auto other = compressorWith("variance");
    SingleLayer one("variance", gradient, {{"alpha", 1.0}});
    EXPECT_EQ(one.send(*other).numel(), 0);
}

// The forecast is right within a half (100 steps of 50 entries or more: the standard error is some
// 3 %).
TEST(Variance, SendsAboutAsMuchAsIsForecast) {
    for (const double alpha : {1.0, 1.5, 2.0}) {
        const Settings level{{"alpha", alpha}};
        const auto forecast = planOf("variance", {1, 5000}, level).plan.payloadBytes() / 8.0;
        EXPECT_NEAR(entriesOnceSettled("variance", level, 5000, 200), forecast, forecast / 2)
            << alpha;
    }
}

}  // namespace
}  // namespace concertina
