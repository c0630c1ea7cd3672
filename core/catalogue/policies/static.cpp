// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/catalogue.h"

namespace concertina {

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
            .minLevels = 1};
}

}  // namespace concertina
