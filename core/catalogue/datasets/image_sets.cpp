// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/datasets/image_sets.h"

#include <algorithm>

namespace concertina {
namespace {

constexpr std::int64_t kMostSamples = 1000000000;

Parameter limitParameter(const char* name, const char* which, std::int64_t samples) {
    const std::string all = samples == 0 ? "all" : "all " + std::to_string(samples);
    return {
        .name = name,
        .type = ParameterType::Integer,
        .unit = "samples",
        .defaultValue = std::int64_t{0},
        .min = 0,
        .max = static_cast<double>(samples == 0 ? kMostSamples : samples),
        .summary = std::string("how many of the first ") + which + " samples are used; 0 = " + all};
}

std::vector<Parameter> augmentationParameters(std::int64_t padCrop, bool flip) {
    return {{.name = "pad_crop",
             .type = ParameterType::Integer,
             .unit = "pixels",
             .defaultValue = padCrop,
             .min = 0,
             .max = 64,
             .summary = "training images are moved by up to this many pixels each way; what comes "
                        "in is black"},
            {.name = "flip",
             .type = ParameterType::Boolean,
             .unit = "",
             .defaultValue = flip,
             .summary = "every other training image, by chance, is mirrored left to right"},
            {.name = "rotation",
             .type = ParameterType::Real,
             .unit = "degrees",
             .defaultValue = 0.0,
             .min = 0,
             .max = 180,
             .summary = "training images are turned by up to this angle either way"}};
}

std::int64_t limited(std::int64_t samples, std::int64_t limit) {
    return limit > 0 ? std::min(samples, limit) : samples;
}

}  // namespace

std::vector<Parameter> imageSetParameters(const ImageSetKeys& keys) {
    std::vector<Parameter> parameters{
        {.name = "path",
         .type = ParameterType::Text,
         .unit = "",
         .defaultValue = keys.path,
         .summary = keys.pathSummary},
        limitParameter("train_samples", "training", keys.trainSamples),
        limitParameter("test_samples", "test", keys.testSamples)};
    const auto augmentation = augmentationParameters(keys.padCrop, keys.flip);
    parameters.insert(parameters.end(), augmentation.begin(), augmentation.end());
    return parameters;
}

DataForm limitedForm(DataForm form, const Settings& settings) {
    form.trainSamples = limited(form.trainSamples, integerOf(settings, "train_samples"));
    form.testSamples = limited(form.testSamples, integerOf(settings, "test_samples"));
    return form;
}

}  // namespace concertina
