// SPDX-License-Identifier: Apache-2.0
#include "core/train/task_loss.h"

#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include <cmath>

namespace concertina {
namespace {

TEST(TaskLoss, OfClassesIsCrossEntropyInNats) {
    const at::Tensor logits = at::tensor({0.0F, std::log(3.0F), 0.0F, 0.0F}).view({2, 2});
    const at::Tensor classes = at::tensor({1, 0}, at::kLong);
    const double expected = (-std::log(0.75) - std::log(0.5)) / 2;
    EXPECT_NEAR(taskLoss(Task::Classes, logits, classes).item<double>(), expected, 1e-6);
    EXPECT_EQ(rightPredictions(Task::Classes, logits, classes), 2);
    // Smoothing by 0.2: probabilities 0.9 and 0.1 instead of 1 and 0.
    const double smooth = (-0.9 * std::log(0.75) - 0.1 * std::log(0.25) - std::log(0.5)) / 2;
    EXPECT_NEAR(taskLoss(Task::Classes, logits, classes, 0.2).item<double>(), smooth, 1e-6);
}

TEST(TaskLoss, OfTokensIsTheMeanOverAllOfThem) {
    // One text of two words: the first predicted at 3/4, the second at 1/4.
    const float log3 = std::log(3.0F);
    const at::Tensor logits = at::tensor({log3, 0.0F, log3, 0.0F}).view({1, 2, 2});
    const at::Tensor words = at::tensor({0, 1}, at::kLong).view({1, 2});
    EXPECT_NEAR(taskLoss(Task::Tokens, logits, words).item<double>(),
                -(std::log(0.75) + std::log(0.25)) / 2, 1e-6);
    EXPECT_EQ(rightPredictions(Task::Tokens, logits, words), 1);
}

TEST(TaskLoss, OfValuesIsTheMeanSquare) {
    const at::Tensor found = at::tensor({1.0F, 2.0F, 3.0F, 4.0F}).view({2, 2});
    const at::Tensor wanted = at::tensor({1.0F, 0.0F, 3.0F, 1.0F}).view({2, 2});
    EXPECT_EQ(taskLoss(Task::Values, found, wanted).item<double>(), (4.0 + 9.0) / 4);
    EXPECT_EQ(taskLoss(Task::Values, found, wanted, 0.5).item<double>(), 13.0 / 4);
    EXPECT_EQ(rightPredictions(Task::Values, found, wanted), 0);
}

}  // namespace
}  // namespace concertina
