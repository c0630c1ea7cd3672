// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/catalogue/catalogue.h"

namespace concertina {
namespace {

std::vector<KeyConflict> conflicts(const Settings& options, std::int64_t levelCount) {
    const std::int64_t level = integerOf(options, "level");
    if (level < levelCount) {
        return {};
    }
    return {{"level", fmt::format("found {}, allowed: 0 to {}, compress.levels has {}", level,
                                  levelCount - 1, levelCount)}};
}

}  // namespace

PolicyDescriptor staticPolicy() {
    return {.name = "static",
            .summary = "One level for every layer in every epoch",
            .parameters = {{.name = "level",
                            .type = ParameterType::Integer,
                            .unit = "1",
                            .defaultValue = std::int64_t{0},
                            .min = 0,
                            .max = 63,
                            .summary = "index into compress.levels, 0 = mildest"}},
            .signals = {},
            .minLevels = 1,
            .conflicts = conflicts};
}

}  // namespace concertina
