// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/datasets/synthetic.h"

namespace concertina {
namespace {

DataForm formOf(const Settings& settings) {
    return {.task = Task::Classes,
            .inputShape = {integerOf(settings, "features")},
            .outputs = integerOf(settings, "classes"),
            .trainSamples = integerOf(settings, "train_samples"),
            .testSamples = integerOf(settings, "test_samples")};
}

std::vector<std::string> problems(const Settings& settings) {
    if (integerOf(settings, "classes") > integerOf(settings, "features")) {
        return {"data.classes is " + std::to_string(integerOf(settings, "classes")) +
                ", allowed: at most data.features, " +
                std::to_string(integerOf(settings, "features"))};
    }
    return {};
}

std::vector<Parameter> parameters() {
    std::vector<Parameter> parameters = syntheticParameters();
    parameters.push_back({.name = "classes",
                          .type = ParameterType::Integer,
                          .unit = "classes",
                          .defaultValue = std::int64_t{4},
                          .min = 2,
                          .max = 65536,
                          .summary = "clouds, equally frequent; at most features"});
    parameters.push_back({.name = "distance",
                          .type = ParameterType::Real,
                          .unit = "sigma",
                          .defaultValue = 4.0,
                          .min = 0,
                          .max = 1000,
                          .summary = "between the means of any two clouds"});
    return parameters;
}

}  // namespace

DatasetDescriptor mixtureDataset() {
    return {.name = "mixture",
            .summary = "Normal clouds, one a class, at equal distances: the best accuracy is known",
            .parameters = parameters(),
            .form = {.task = Task::Classes,
                     .inputShape = {16},
                     .outputs = 4,
                     .trainSamples = 4096,
                     .testSamples = 1024},
            .problems = problems,
            .formOf = formOf};
}

}  // namespace concertina
