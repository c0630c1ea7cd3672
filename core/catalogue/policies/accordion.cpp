// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/catalogue.h"

namespace concertina {

PolicyDescriptor accordionPolicy() {
    return {
        .name = "accordion",
        .summary =
            "Mild while a layer's gradient norm changes fast or the learning rate drops, strong "
            "otherwise",
        .parameters =
            {{.name = "eta",
              .type = ParameterType::Real,
              .unit = "1",
              .defaultValue = 0.5,
              .min = 0,
              .max = 1000,
              .minExclusive = true,
              .summary = "a layer is critical when its norm changed by this share or more"},
             {.name = "interval_epochs",
              .type = ParameterType::Integer,
              .unit = "epochs",
              .defaultValue = std::int64_t{10},
              .min = 1,
              .max = 1000000,
              .summary = "epochs between two detections, and between the norms they compare"},
             {.name = "min_mild_epochs",
              .type = ParameterType::Integer,
              .unit = "epochs",
              .defaultValue = std::int64_t{0},
              .min = 0,
              .max = 1000000,
              .summary = "how long a layer stays mild at least, once it is"},
             {.name = "lr_decay_rule",
              .type = ParameterType::Boolean,
              .unit = "",
              .defaultValue = true,
              .summary = "make every layer mild where the learning rate falls, until the next "
                         "detection"},
             {.name = "norm",
              .type = ParameterType::Choice,
              .unit = "",
              .defaultValue = std::string("rank0-local"),
              .choices = {"rank0-local"},
              .summary =
                  "whose gradient: rank 0's own, summed over the epoch, before error feedback"}},
        .signals = {"gradient_norm", "learning_rate"},
        .minLevels = 2};
}

}  // namespace concertina
