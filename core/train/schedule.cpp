// SPDX-License-Identifier: Apache-2.0
#include "core/train/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace concertina {
namespace {

double multiStep(const Settings& train, double epoch) {
    double factor = 1;
    for (const std::int64_t decay : integersOf(train, "lr_decay_epochs")) {
        if (static_cast<double>(decay) <= epoch) {
            factor *= realOf(train, "lr_decay_factor");
        }
    }
    return factor;
}

/// From `from` (at = 0) to `to` (at = 1) along half a cosine.
double halfCosine(double from, double to, double at) {
    return to + (from - to) * (1 + std::cos(std::numbers::pi * at)) / 2;
}

double oneCycle(double done) {
    constexpr double kRise = 0.3, kBegin = 1.0 / 25, kEnd = 1.0 / 250000;
    return done < kRise ? halfCosine(kBegin, 1, done / kRise)
                        : halfCosine(1, kEnd, (done - kRise) / (1 - kRise));
}

/// The rate at `epoch` as share of lr, without the warm-up.
double scheduled(const Settings& train, double epoch) {
    const std::string& schedule = textOf(train, "lr_schedule");
    if (schedule == "multi-step") {
        return multiStep(train, epoch);
    }
    const auto warmUp = static_cast<double>(integerOf(train, "lr_warmup_epochs"));
    const double length = static_cast<double>(integerOf(train, "epochs")) - warmUp;
    const double done = length > 0 ? std::clamp((epoch - warmUp) / length, 0.0, 1.0) : 0.0;
    if (schedule == "one-cycle") {
        return oneCycle(done);
    }
    const double end = realOf(train, "lr_end");
    return schedule == "cosine" ? halfCosine(1, end, done)
                                : end + (1 - end) * std::pow(1 - done, realOf(train, "lr_power"));
}

}  // namespace

double learningRateOf(const RunSpec& spec, double epoch) {
    const double rate = realOf(spec.train, "lr");
    const auto warmUp = static_cast<double>(integerOf(spec.train, "lr_warmup_epochs"));
    if (epoch >= warmUp) {
        return rate * scheduled(spec.train, epoch);
    }
    const double from = realOf(spec.train, "lr_warmup_start");
    return rate * (from + (scheduled(spec.train, warmUp) - from) * epoch / warmUp);
}

}  // namespace concertina
