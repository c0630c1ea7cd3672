// SPDX-License-Identifier: Apache-2.0
#include "core/train/task_loss.h"

#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/mse_loss.h>

namespace concertina {

at::Tensor taskLoss(Task task,
                    const at::Tensor& outputs,
                    const at::Tensor& targets,
                    double labelSmoothing) {
    if (task == Task::Values) {
        return at::mse_loss(outputs, targets);
    }
    constexpr std::int64_t kNoIgnoredClass = -100;
    return at::cross_entropy_loss(outputs.flatten(0, -2), targets.flatten(), {},
                                  at::Reduction::Mean, kNoIgnoredClass, labelSmoothing);
}

double rightPredictions(Task task, const at::Tensor& outputs, const at::Tensor& targets) {
    return task == Task::Values ? 0 : outputs.argmax(-1).eq(targets).sum().item<double>();
}

}  // namespace concertina
