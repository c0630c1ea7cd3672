// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/catalogue/catalogue.h"
#include "core/catalogue/datasets/idx_files.h"

namespace concertina {
namespace {

constexpr std::int64_t kTrainSamples = 60000;
constexpr std::int64_t kTestSamples = 10000;
constexpr std::int64_t kSide = 28;
constexpr std::int64_t kClasses = 10;

struct ExpectedFile {
    const char* baseName;
    const char* content;  // for sentences
    std::vector<std::int64_t> dims;
};

std::vector<ExpectedFile> expectedFiles() {
    return {{"train-images-idx3-ubyte", "training images", {kTrainSamples, kSide, kSide}},
            {"train-labels-idx1-ubyte", "training labels", {kTrainSamples}},
            {"t10k-images-idx3-ubyte", "test images", {kTestSamples, kSide, kSide}},
            {"t10k-labels-idx1-ubyte", "test labels", {kTestSamples}}};
}

/// Which of the four files has these dims: names a swap instead of leaving the user to guess.
std::string swapHint(const std::vector<std::int64_t>& dims) {
    for (const ExpectedFile& other : expectedFiles()) {
        if (other.dims == dims) {
            return fmt::format("; these are the {}: the files were swapped", other.content);
        }
    }
    return "";
}

std::string checkContent(const ExpectedFile& expected, const IdxArray& array) {
    if (array.dims != expected.dims) {
        return fmt::format("holds {} bytes, expected {} ({}){}", fmt::join(array.dims, " x "),
                           fmt::join(expected.dims, " x "), expected.content, swapHint(array.dims));
    }
    const auto wrong = expected.dims.size() > 1
                           ? array.bytes.end()
                           : std::find_if(array.bytes.begin(), array.bytes.end(),
                                          [](std::uint8_t label) { return label >= kClasses; });
    if (wrong != array.bytes.end()) {
        return fmt::format("label {} of sample {}, allowed: 0 to {}", *wrong,
                           wrong - array.bytes.begin(), kClasses - 1);
    }
    return "";
}

std::vector<std::string> problems(const Settings& settings) {
    const std::filesystem::path folder = textOf(settings, "path");
    std::vector<std::string> sentences;
    for (const ExpectedFile& expected : expectedFiles()) {
        try {
            const std::string problem = checkContent(expected, readIdx(folder, expected.baseName));
            if (!problem.empty()) {
                sentences.push_back(idxPath(folder, expected.baseName).string() + ": " + problem);
            }
        } catch (const Error& error) {
            sentences.emplace_back(error.what());
        }
    }
    return sentences;
}

}  // namespace

DatasetDescriptor fashionMnistDataset() {
    return {
        .name = "fashion-mnist",
        .summary = "Fashion-MNIST: 28x28 grey images of clothes in 10 classes",
        .parameters = {{.name = "path",
                        .type = ParameterType::Text,
                        .unit = "",
                        .defaultValue = std::string("/usr/share/datasets/fashion-mnist"),
                        .summary = "folder of the four IDX files, plain or .gz"},
                       {.name = "train_samples",
                        .type = ParameterType::Integer,
                        .unit = "samples",
                        .defaultValue = std::int64_t{0},
                        .min = 0,
                        .max = kTrainSamples,
                        .summary =
                            "how many of the first training samples are used; 0 = all 60000"},
                       {.name = "test_samples",
                        .type = ParameterType::Integer,
                        .unit = "samples",
                        .defaultValue = std::int64_t{0},
                        .min = 0,
                        .max = kTestSamples,
                        .summary = "how many of the first test samples are used; 0 = all 10000"}},
        .inputShape = {1, kSide, kSide},
        .classes = kClasses,
        .trainSamples = kTrainSamples,
        .testSamples = kTestSamples,
        .problems = problems};
}

}  // namespace concertina
