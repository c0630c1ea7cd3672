// SPDX-License-Identifier: Apache-2.0
#include "core/train/schedule.h"

namespace concertina {

double learningRateOf(const RunSpec& spec, int epoch) {
    double rate = realOf(spec.train, "lr");
    for (const std::int64_t decay : integersOf(spec.train, "lr_decay_epochs")) {
        if (decay <= epoch) {
            rate *= realOf(spec.train, "lr_decay_factor");
        }
    }
    return rate;
}

}  // namespace concertina
