// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/catalogue.h"

namespace concertina {

PolicyDescriptor randomPolicy() {
    return {.name = "random",
            .summary = "Mild or strong by lot, drawn anew for each layer every interval",
            .parameters = {{.name = "mild_share",
                            .type = ParameterType::Real,
                            .unit = "1",
                            .defaultValue = 0.2,
                            .min = 0,
                            .max = 1,
                            .summary = "probability that a layer is mild"},
                           {.name = "interval_epochs",
                            .type = ParameterType::Integer,
                            .unit = "epochs",
                            .defaultValue = std::int64_t{10},
                            .min = 1,
                            .max = 1000000,
                            .summary = "epochs between two draws"}},
            .signals = {},
            .minLevels = 2};
}

}  // namespace concertina
