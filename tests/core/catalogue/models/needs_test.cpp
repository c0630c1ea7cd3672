// SPDX-License-Identifier: Apache-2.0
// Models and data that do not go together are refused with what is needed and what was found.
#include "core/catalogue/models/needs.h"

#include <gmock/gmock.h>

#include "core/spec/run_spec.h"
#include "tests/support/data_choice.h"

namespace concertina {
namespace {

using ::testing::HasSubstr;

const DataForm kImages{.task = Task::Classes, .inputShape = {3, 32, 32}, .outputs = 10};
const DataForm kSmallImages{.task = Task::Classes, .inputShape = {1, 28, 28}, .outputs = 10};
const DataForm kText{.task = Task::Tokens, .inputShape = {30}, .outputs = 50};
const DataForm kNumbers{.task = Task::Classes, .inputShape = {16}, .outputs = 4};
const DataForm kValues{.task = Task::Values, .inputShape = {16}, .outputs = 1};

std::string problem(const std::string& model, const DataForm& data, const Settings& changes = {}) {
    return modelProblem(*findModel(model), modelChoice(model, changes).options, data);
}

TEST(Needs, ImageModelsRefuseTextAndNumbers) {
    for (const char* model : {"lenet5", "resnet20", "resnet18", "vgg11_bn", "vgg19_bn", "senet18",
                              "googlenet", "densenet_cifar"}) {
        EXPECT_EQ(problem(model, kImages), "") << model;
        EXPECT_THAT(problem(model, kText),
                    AllOf(HasSubstr(std::string(model) + " needs images"),
                          HasSubstr("found windows of 30 words of a vocabulary of 50")));
        EXPECT_THAT(problem(model, kNumbers), HasSubstr("found samples of 16 in 4 classes"));
        EXPECT_THAT(problem(model, kValues), HasSubstr("found 16 numbers with 1 to predict"));
    }
}

TEST(Needs, SidesHaveTheirLimits) {
    EXPECT_EQ(problem("vgg11_bn", kSmallImages),
              "vgg11_bn needs images (channels x height x width) with sides of 32 to 63 pixels, "
              "found images of 1 x 28 x 28 in 10 classes");
    EXPECT_EQ(problem("resnet18", kSmallImages), "");
    DataForm form = kImages;
    form.inputShape = {3, 32, 7};
    EXPECT_THAT(problem("resnet18", form),
                HasSubstr("at least 8 pixels, found images of 3 x 32 x 7"));
    form.inputShape = {3, 64, 32};
    EXPECT_THAT(problem("vgg19_bn", form), HasSubstr("32 to 63 pixels"));
}

TEST(Needs, LanguageModelsNeedTextAndOthersRefuseIt) {
    EXPECT_EQ(problem("lstm_lm", kText), "");
    EXPECT_EQ(problem("transformer_lm", kText), "");
    EXPECT_EQ(problem("lstm_lm", kImages),
              "lstm_lm needs text, found images of 3 x 32 x 32 in 10 classes");
    EXPECT_THAT(problem("mlp", kText), HasSubstr("mlp needs images or other numbers"));
    EXPECT_EQ(problem("mlp", kValues), "");
    EXPECT_THAT(problem("logistic", kValues), HasSubstr("logistic needs classes to predict"));
    EXPECT_THAT(problem("transformer_lm", kText, {{"heads", std::int64_t{3}}}),
                HasSubstr("found width 256 and 3 heads"));
}

TEST(Needs, ASpecThatMixesThemIsRefusedWithItsLine) {
    const std::string spec =
        "name = \"x\"\n[data]\nname = \"mixture\"\n[model]\nname = \"resnet18\"\n"
        "[compress]\nname = \"none\"\n[policy]\nname = \"static\"\n";
    try {
        parseRunSpec(spec, "x.toml");
        FAIL() << "no error";
    } catch (const std::exception& error) {
        EXPECT_THAT(error.what(), HasSubstr("x.toml:5: model.name: resnet18 needs images"));
    }
}

}  // namespace
}  // namespace concertina
