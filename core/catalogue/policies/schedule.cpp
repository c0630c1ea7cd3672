// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "core/base/text.h"
#include "core/catalogue/catalogue.h"

namespace concertina {
namespace {

std::vector<KeyConflict> conflicts(const Settings& options, std::int64_t levelCount) {
    const auto& epochs = integersOf(options, "epochs");
    const auto& levels = integersOf(options, "levels");
    const std::vector<std::string> patterns = words(textOf(options, "layers"));
    std::vector<KeyConflict> found;
    if (epochs.empty() || epochs.front() != 0) {
        found.push_back({"epochs", fmt::format("found {}, allowed: a list that begins with 0",
                                               toText(options.at("epochs")))});
    }
    const auto repeated = std::adjacent_find(epochs.begin(), epochs.end(), std::greater_equal<>());
    if (repeated != epochs.end()) {
        found.push_back(
            {"epochs", fmt::format("found {} after {}, allowed: strictly increasing epochs",
                                   *(repeated + 1), *repeated)});
    }
    if (patterns.empty() || patterns.back() != "*") {
        found.push_back({"layers", fmt::format("found \"{}\", allowed: patterns of which the last "
                                               "is *, so that every layer has a level",
                                               excerpt(textOf(options, "layers")))});
    }
    if (levels.size() != epochs.size() * patterns.size()) {
        found.push_back(
            {"levels", fmt::format("found {}, allowed: {}, for each of {} layer patterns one in "
                                   "each of {} epochs",
                                   levels.size(), epochs.size() * patterns.size(), patterns.size(),
                                   epochs.size())});
    }
    const auto outside = std::find_if(levels.begin(), levels.end(),
                                      [&](std::int64_t level) { return level >= levelCount; });
    if (outside != levels.end()) {
        found.push_back({"levels", fmt::format("found {}, allowed: each 0 to {}, compress.levels "
                                               "has {}",
                                               *outside, levelCount - 1, levelCount)});
    }
    return found;
}

}  // namespace

PolicyDescriptor schedulePolicy() {
    return {.name = "schedule",
            .summary = "Levels by hand: which layers train at which level from which epoch on",
            .parameters = {{.name = "epochs",
                            .type = ParameterType::IntegerList,
                            .unit = "epochs",
                            .defaultValue = std::vector<std::int64_t>{0},
                            .min = 0,
                            .max = 1000000,
                            .summary = "first epochs of the columns of levels, counted from 0"},
                           {.name = "layers",
                            .type = ParameterType::Text,
                            .unit = "",
                            .defaultValue = std::string("*"),
                            .summary = "layer patterns between blanks, a row of levels each; the "
                                       "first that matches a layer's name applies"},
                           {.name = "levels",
                            .type = ParameterType::IntegerList,
                            .unit = "1",
                            .defaultValue = std::vector<std::int64_t>{0},
                            .min = 0,
                            .max = 63,
                            .summary = "indices into compress.levels, 0 = mildest: for each "
                                       "pattern one in each of the epochs"}},
            .signals = {},
            .minLevels = 1,
            .conflicts = conflicts};
}

}  // namespace concertina
