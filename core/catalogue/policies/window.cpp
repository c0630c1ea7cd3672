// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/catalogue.h"

namespace concertina {

PolicyDescriptor windowPolicy() {
    return {.name = "window",
            .summary =
                "Mild for a time after the start and after each fall of the learning rate, "
                "strong otherwise",
            .parameters = {{.name = "epochs_after_start",
                            .type = ParameterType::Integer,
                            .unit = "epochs",
                            .defaultValue = std::int64_t{20},
                            .min = 0,
                            .max = 1000000,
                            .summary = "how many epochs from the first on are mild"},
                           {.name = "epochs_after_lr_decay",
                            .type = ParameterType::Integer,
                            .unit = "epochs",
                            .defaultValue = std::int64_t{20},
                            .min = 0,
                            .max = 1000000,
                            .summary = "how many epochs are mild from the first at a lower "
                                       "learning rate on"}},
            .signals = {"learning_rate"},
            .minLevels = 2};
}

}  // namespace concertina
