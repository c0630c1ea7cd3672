// SPDX-License-Identifier: Apache-2.0
// What a model's outputs are measured by, which the data decide: cross entropy in nats for classes
// and for the next word, mean squared error for values. Training thread.
#pragma once
#include <ATen/core/Tensor.h>

#include "core/catalogue/catalogue.h"

namespace concertina {

/// The mean over all targets; `outputs` and `targets` as Model and Batch say. `labelSmoothing`: the
/// share of each class' probability that is spread evenly (Szegedy et al. 2016, section 7); without
/// effect on values.
at::Tensor taskLoss(Task task,
                    const at::Tensor& outputs,
                    const at::Tensor& targets,
                    double labelSmoothing = 0);

/// How many targets were predicted right; nothing of values. (B) or (B, T) -> a count.
double rightPredictions(Task task, const at::Tensor& outputs, const at::Tensor& targets);

}  // namespace concertina
