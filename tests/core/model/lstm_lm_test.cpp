// SPDX-License-Identifier: Apache-2.0
// The language models: names, tied weights, what is carried and what is not seen.
#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/randint.h>
#include <gmock/gmock.h>

#include "core/model/model.h"
#include "tests/support/data_choice.h"

namespace concertina {
namespace {

using ::testing::ElementsAre;

std::shared_ptr<Model> make(const std::string& name, const Settings& changes) {
    Settings all = changes;
    all["dropout"] = 0.0;
    const DataForm text{.task = Task::Tokens, .inputShape = {8}, .outputs = 20};
    return makeModel(modelChoice(name, all), text, 1);
}

std::shared_ptr<Model> lstm() {
    return make("lstm_lm", {{"hidden", std::int64_t{6}}, {"layers", std::int64_t{2}}});
}

std::shared_ptr<Model> gpt() {
    return make(
        "transformer_lm",
        {{"width", std::int64_t{8}}, {"heads", std::int64_t{2}}, {"layers", std::int64_t{2}}});
}

at::Tensor words(std::int64_t streams, std::int64_t length) {
    at::manual_seed(5);
    return at::randint(20, {streams, length}, at::kLong);
}

TEST(LstmLm, HasTheNamesOfPytorchsExampleAndOneTableForInAndOut) {
    EXPECT_THAT(
        lstm()->named_parameters().keys(),
        ElementsAre("encoder.weight", "rnn.weight_ih_l0", "rnn.weight_hh_l0", "rnn.bias_ih_l0",
                    "rnn.bias_hh_l0", "rnn.weight_ih_l1", "rnn.weight_hh_l1", "rnn.bias_ih_l1",
                    "rnn.bias_hh_l1", "decoder.bias"));
    const auto weights = lstm()->named_parameters();
    EXPECT_LE(weights["encoder.weight"].abs().max().item<float>(), 0.1F);
    EXPECT_LE(weights["rnn.weight_hh_l1"].abs().max().item<double>(), 1 / std::sqrt(6.0));
    EXPECT_TRUE(weights["decoder.bias"].eq(0).all().item<bool>());
}

TEST(LstmLm, TwoBatchesInARowAreOneLongText) {
    const at::NoGradGuard noGrad;
    const auto model = lstm();
    const at::Tensor text = words(3, 8);
    const at::Tensor whole = model->forward(text);
    model->carry({});
    const at::Tensor first = model->forward(text.slice(1, 0, 4));
    const at::Tensor second = model->forward(text.slice(1, 4, 8));
    EXPECT_TRUE(at::cat({first, second}, 1).allclose(whole, 1e-5, 1e-6));
    EXPECT_FALSE(model->forward(text).allclose(whole, 1e-5, 1e-6)) << "it goes on from there";
}

TEST(LstmLm, WhatIsCarriedCanBeTakenBack) {
    const at::NoGradGuard noGrad;
    const auto model = lstm();
    EXPECT_TRUE(model->carried().empty());
    model->forward(words(3, 8));
    const auto state = model->carried();
    ASSERT_EQ(state.size(), 2U);
    EXPECT_EQ(state[0].sizes().vec(), (std::vector<std::int64_t>{2, 3, 6}));
    const at::Tensor next = model->forward(words(3, 4));
    model->carry(state);
    EXPECT_TRUE(model->forward(words(3, 4)).equal(next));
    EXPECT_THROW(model->carry({state[0]}), std::logic_error);
}

TEST(LstmLm, AnotherNumberOfStreamsStartsAnew) {
    const at::NoGradGuard noGrad;
    const auto model = lstm();
    const at::Tensor fresh = model->forward(words(2, 4));
    model->forward(words(3, 4));
    EXPECT_TRUE(model->forward(words(2, 4)).equal(fresh));
}

TEST(LstmLm, GradientsEndAtTheBatch) {
    const auto model = lstm();
    model->forward(words(2, 4));
    EXPECT_FALSE(model->carried()[0].requires_grad());
}

TEST(TransformerLm, HasTheNamesOfGpt2) {
    const auto names = gpt()->named_parameters().keys();
    EXPECT_EQ(names.size(), 2U + 2 * 12 + 2);
    EXPECT_EQ(names[0], "wte.weight");
    EXPECT_EQ(names[1], "wpe.weight");
    EXPECT_EQ(names[2], "h.0.ln_1.weight");
    EXPECT_THAT(names, ::testing::IsSupersetOf(
                           {"h.1.attn.c_attn.weight", "h.1.mlp.c_proj.bias", "ln_f.weight"}));
}

TEST(TransformerLm, NoWordSeesALaterOne) {
    const at::NoGradGuard noGrad;
    const auto model = gpt();
    at::Tensor text = words(1, 8);
    const at::Tensor before = model->forward(text);
    text[0][5] = (text[0][5].item<std::int64_t>() + 1) % 20;
    const at::Tensor after = model->forward(text);
    EXPECT_TRUE(before.slice(1, 0, 5).allclose(after.slice(1, 0, 5), 0, 1e-6));
    EXPECT_FALSE(before.slice(1, 5, 8).allclose(after.slice(1, 5, 8), 0, 1e-6));
}

TEST(TransformerLm, ShorterWindowsAreFineAndNothingIsCarried) {
    const at::NoGradGuard noGrad;
    const auto model = gpt();
    const at::Tensor text = words(2, 8);
    const at::Tensor whole = model->forward(text);
    EXPECT_TRUE(model->forward(text.slice(1, 0, 3)).allclose(whole.slice(1, 0, 3), 0, 1e-6));
    EXPECT_TRUE(model->carried().empty());
}

}  // namespace
}  // namespace concertina
