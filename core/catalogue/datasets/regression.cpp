// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/datasets/synthetic.h"

namespace concertina {
namespace {

DataForm formOf(const Settings& settings) {
    return {.task = Task::Values,
            .inputShape = {integerOf(settings, "features")},
            .outputs = integerOf(settings, "outputs"),
            .trainSamples = integerOf(settings, "train_samples"),
            .testSamples = integerOf(settings, "test_samples")};
}

std::vector<std::string> problems(const Settings& /*settings*/) { return {}; }

std::vector<Parameter> parameters() {
    std::vector<Parameter> parameters = syntheticParameters();
    parameters.push_back({.name = "outputs",
                          .type = ParameterType::Integer,
                          .unit = "1",
                          .defaultValue = std::int64_t{1},
                          .min = 1,
                          .max = 65536,
                          .summary = "numbers to predict"});
    parameters.push_back({.name = "noise",
                          .type = ParameterType::Real,
                          .unit = "1",
                          .defaultValue = 0.1,
                          .min = 0,
                          .max = 1000,
                          .summary = "standard deviation of what is added to each: the least test "
                                     "loss is its square"});
    parameters.push_back({.name = "condition",
                          .type = ParameterType::Real,
                          .unit = "1",
                          .defaultValue = 1.0,
                          .min = 1,
                          .max = 1e12,
                          .summary = "variance of the widest feature over that of the narrowest"});
    return parameters;
}

}  // namespace

DatasetDescriptor regressionDataset() {
    return {.name = "regression",
            .summary = "Linear functions of normal numbers, with noise: the best weights are known",
            .parameters = parameters(),
            .form = {.task = Task::Values,
                     .inputShape = {16},
                     .outputs = 1,
                     .trainSamples = 4096,
                     .testSamples = 1024},
            .problems = problems,
            .formOf = formOf};
}

}  // namespace concertina
