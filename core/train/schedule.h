// SPDX-License-Identifier: Apache-2.0
// Learning-rate schedule: a pure function of the spec and the epoch.
#pragma once
#include "core/spec/run_spec.h"

namespace concertina {

/// lr * lr_decay_factor^d, d = how many of lr_decay_epochs are <= epoch. Epochs count from 0: a
/// decay epoch is the first one trained at the lower rate.
double learningRateOf(const RunSpec& spec, int epoch);

}  // namespace concertina
