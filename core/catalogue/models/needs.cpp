// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/models/needs.h"

#include <fmt/format.h>

#include <algorithm>

namespace concertina {

std::string formText(const DataForm& data) {
    const auto shape = fmt::format("{}", fmt::join(data.inputShape, " x "));
    switch (data.task) {
        case Task::Tokens:
            return fmt::format("windows of {} words of a vocabulary of {}", shape, data.outputs);
        case Task::Values:
            return fmt::format("{} numbers with {} to predict", shape, data.outputs);
        case Task::Classes:
            break;
    }
    return fmt::format("{} of {} in {} classes", data.inputShape.size() == 3 ? "images" : "samples",
                       shape, data.outputs);
}

std::string needsNumbers(const DataForm& data) {
    return data.task == Task::Tokens ? "needs images or other numbers, found " + formText(data)
                                     : "";
}

std::string needsImages(const DataForm& data, std::int64_t minSide, std::int64_t maxSide) {
    const bool images = data.task != Task::Tokens && data.inputShape.size() == 3;
    const auto sideFits = [&](std::int64_t side) {
        return side >= minSide && (maxSide == 0 || side <= maxSide);
    };
    if (images && data.inputShape[0] >= 1 && sideFits(data.inputShape[1]) &&
        sideFits(data.inputShape[2])) {
        return "";
    }
    const std::string sides = maxSide == 0 ? fmt::format("at least {} pixels", minSide)
                                           : fmt::format("{} to {} pixels", minSide, maxSide);
    return fmt::format("needs images (channels x height x width) with sides of {}, found {}", sides,
                       formText(data));
}

std::string needsText(const DataForm& data) {
    return data.task == Task::Tokens ? "" : "needs text, found " + formText(data);
}

Parameter dropoutParameter(double share) {
    return {.name = "dropout",
            .type = ParameterType::Real,
            .unit = "1",
            .defaultValue = share,
            .min = 0,
            .max = 0.99,
            .summary = "share of activations that are zeroed in training"};
}

Parameter sizeParameter(
    const char* name, const char* unit, std::int64_t value, double max, const char* summary) {
    return {.name = name,
            .type = ParameterType::Integer,
            .unit = unit,
            .defaultValue = value,
            .min = 1,
            .max = max,
            .summary = summary};
}

}  // namespace concertina
