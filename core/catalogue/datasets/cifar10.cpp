// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/datasets/cifar_files.h"
#include "core/catalogue/datasets/image_sets.h"

namespace concertina {
namespace {

/// Not a constant: tables are also asked while the program's constants are still being made.
DataForm fullForm() {
    return {.task = Task::Classes,
            .inputShape = {3, 32, 32},
            .outputs = 10,
            .trainSamples = 50000,
            .testSamples = 10000};
}

std::vector<std::string> problems(const Settings& settings) {
    return cifarProblems(textOf(settings, "path"), cifar10Files());
}

DataForm formOf(const Settings& settings) { return limitedForm(fullForm(), settings); }

}  // namespace

DatasetDescriptor cifar10Dataset() {
    return {.name = "cifar10",
            .summary = "CIFAR-10: 32x32 colour images in 10 classes, in its binary form",
            .parameters = imageSetParameters(
                {.path = "/usr/share/datasets/cifar-10-batches-bin",
                 .pathSummary = "folder of data_batch_1.bin to data_batch_5.bin and test_batch.bin",
                 .trainSamples = fullForm().trainSamples,
                 .testSamples = fullForm().testSamples,
                 .padCrop = 4,
                 .flip = true}),
            .form = fullForm(),
            .problems = problems,
            .formOf = formOf};
}

}  // namespace concertina
