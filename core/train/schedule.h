// SPDX-License-Identifier: Apache-2.0
// Learning-rate schedule: a pure function of the spec and of how far the run is, so that a resumed
// run and a replay have the same rates. Any thread.
#pragma once
#include "core/spec/run_spec.h"

namespace concertina {

/// The rate at `epoch`, counted from 0: 2.5 is in the middle of the third. 0 <= epoch < epochs.
/// multi-step: lr * lr_decay_factor^d, d = how many of lr_decay_epochs are <= epoch, so a decay
/// epoch is the first one trained at the lower rate. With u = share of the run after the warm-up
/// that is done and e = lr_end, cosine (Loshchilov & Hutter 2017, eq. 5 without restarts):
/// lr * (e + (1 - e)(1 + cos(pi u)) / 2); polynomial: lr * (e + (1 - e)(1 - u)^lr_power). one-cycle
/// (Smith & Topin 2018): by half cosines from lr/25 to lr in the first 3/10, then to lr/250000.
/// Warm-up (Goyal et al. 2017, section 2.2): rises linearly from lr * lr_warmup_start to what the
/// schedule has at its end.
double learningRateOf(const RunSpec& spec, double epoch);

}  // namespace concertina
