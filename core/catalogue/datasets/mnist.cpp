// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/datasets/idx_files.h"
#include "core/catalogue/datasets/image_sets.h"

namespace concertina {
namespace {

/// Not a constant: tables are also asked while the program's constants are still being made.
DataForm fullForm() {
    return {.task = Task::Classes,
            .inputShape = {1, 28, 28},
            .outputs = 10,
            .trainSamples = 60000,
            .testSamples = 10000};
}

std::vector<std::string> problems(const Settings& settings) {
    return idxProblems(textOf(settings, "path"), {60000, 10000, 28, 28, 10});
}

DataForm formOf(const Settings& settings) { return limitedForm(fullForm(), settings); }

}  // namespace

DatasetDescriptor mnistDataset() {
    return {.name = "mnist",
            .summary = "MNIST: 28x28 grey images of handwritten digits",
            .parameters =
                imageSetParameters({.path = "/usr/share/datasets/mnist",
                                    .pathSummary = "folder of the four IDX files, plain or .gz",
                                    .trainSamples = fullForm().trainSamples,
                                    .testSamples = fullForm().testSamples}),
            .form = fullForm(),
            .problems = problems,
            .formOf = formOf};
}

}  // namespace concertina
