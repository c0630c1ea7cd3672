// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/datasets/idx_files.h"
#include "core/catalogue/datasets/image_sets.h"

namespace concertina {
namespace {

std::vector<std::string> problems(const Settings& settings) {
    return idxProblems(textOf(settings, "path"), {.classes = integerOf(settings, "classes")});
}

DataForm formOf(const Settings& settings) {
    const std::string& folder = textOf(settings, "path");
    const auto train = readIdxDims(folder, "train-images-idx3-ubyte");
    const auto test = readIdxDims(folder, "t10k-labels-idx1-ubyte");
    const DataForm form{.task = Task::Classes,
                        .inputShape = {1, train[1], train[2]},
                        .outputs = integerOf(settings, "classes"),
                        .trainSamples = train[0],
                        .testSamples = test[0]};
    return limitedForm(form, settings);
}

std::vector<Parameter> parameters() {
    std::vector<Parameter> parameters = imageSetParameters(
        {.path = "/usr/share/datasets/idx",
         .pathSummary = "folder of four IDX files named as MNIST's, plain or .gz",
         .trainSamples = 0,
         .testSamples = 0});
    parameters.insert(parameters.begin() + 1, {.name = "classes",
                                               .type = ParameterType::Integer,
                                               .unit = "classes",
                                               .defaultValue = std::int64_t{10},
                                               .min = 2,
                                               .max = 256,
                                               .summary = "labels go from 0 to one less"});
    return parameters;
}

}  // namespace

DatasetDescriptor idxDataset() {
    return {.name = "idx",
            .summary = "Grey images in IDX files, the format of MNIST: any number, any size",
            .parameters = parameters(),
            .form = {.task = Task::Classes,
                     .inputShape = {1, 28, 28},
                     .outputs = 10,
                     .trainSamples = 0,
                     .testSamples = 0},
            .problems = problems,
            .formOf = formOf,
            .formNeedsFiles = true};
}

}  // namespace concertina
