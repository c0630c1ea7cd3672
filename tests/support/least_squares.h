// SPDX-License-Identifier: Apache-2.0
// The over-parameterised least squares of Karimireddy et al. 2019, section 5.2 (methods.md 5; after
// Wilson et al. 2017): n training and n test points in d = 12 n dimensions. x_1 is the label, x_2 =
// x_3 = 1, and each point has coordinates of its own: one that is 1 where the label is 1, five
// where it is -1. Full gradients from w = 0 stay in the row space of the training points, and the
// solution in it generalises. Used by tests/contract and by the study
// experiments/error_feedback.
#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

namespace concertina {

struct LeastSquares {
    at::Tensor trainPoints, trainLabels;  // (n, d), (n)
    at::Tensor testPoints, testLabels;

    /// X^T (X w - y) / n
    at::Tensor gradientAt(const at::Tensor& w) const;
    /// Mean squared errors.
    double trainLossAt(const at::Tensor& w) const;
    double testLossAt(const at::Tensor& w) const;
    /// |w - (its projection on the row space of X)|
    double distanceFromSpanAt(const at::Tensor& w) const;
};

LeastSquares makeLeastSquares(std::int64_t points, std::uint64_t seed);

/// One of the methods that the paper compares, with its learning rate.
struct SpanMethod {
    std::string name;
    double learningRate;
};

/// "gd" 0.5, "ef-signsgd" 10, "scaled-signsgd" 10, "signum" 0.005: methods.md 5; the last is plain
/// signs of momentum 0.9, at a tenth of the notebook's rate, with which it diverges here.
const std::vector<SpanMethod>& spanMethods();

struct SpanPoint {
    double trainLoss, testLoss, distanceFromSpan;
};

/// After each of `steps` steps.
std::vector<SpanPoint> runSpanMethod(const LeastSquares& problem,
                                     const SpanMethod& method,
                                     int steps);

}  // namespace concertina
