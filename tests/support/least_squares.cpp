// SPDX-License-Identifier: Apache-2.0
#include "tests/support/least_squares.h"

#include <ATen/ops/linalg_solve.h>
#include <ATen/ops/zeros.h>

#include <functional>
#include <memory>

#include "core/base/check.h"
#include "core/base/seeds.h"
#include "tests/support/feedback_loop.h"

namespace concertina {
namespace {

double meanSquaredError(const at::Tensor& points, const at::Tensor& labels, const at::Tensor& w) {
    return (points.matmul(w) - labels).square().mean().item<double>();
}

using Update = std::function<at::Tensor(const at::Tensor& gradient)>;

Settings signs(const char* scale) { return {{"scale", std::string(scale)}, {"vote", false}}; }

/// What w loses in a step.
Update updateOf(const SpanMethod& method, std::int64_t dimensions) {
    const double rate = method.learningRate;
    const Shape shape{1, dimensions};
    if (method.name == "gd") {
        return [rate](const at::Tensor& gradient) { return gradient * rate; };
    }
    if (method.name == "signum") {
        const auto loop = std::make_shared<FeedbackLoop>("signsgd", signs("none"), shape, false);
        return [loop, rate, momentum = at::zeros({dimensions})](const at::Tensor& gradient) {
            momentum.mul_(0.9).add_(gradient);
            return loop->sent(momentum) * rate;
        };
    }
    const bool feedback = method.name == "ef-signsgd";
    CONCERTINA_CHECK(feedback || method.name == "scaled-signsgd", method.name);
    const auto loop = std::make_shared<FeedbackLoop>("signsgd", signs("l1"), shape, feedback);
    return [loop, rate](const at::Tensor& gradient) { return loop->sent(gradient * rate); };
}

}  // namespace

at::Tensor LeastSquares::gradientAt(const at::Tensor& w) const {
    const at::Tensor errors = trainPoints.matmul(w) - trainLabels;
    return trainPoints.t().matmul(errors) / static_cast<double>(trainLabels.numel());
}

double LeastSquares::trainLossAt(const at::Tensor& w) const {
    return meanSquaredError(trainPoints, trainLabels, w);
}

double LeastSquares::testLossAt(const at::Tensor& w) const {
    return meanSquaredError(testPoints, testLabels, w);
}

double LeastSquares::distanceFromSpanAt(const at::Tensor& w) const {
    const at::Tensor rows = trainPoints.to(at::kDouble);
    const at::Tensor exact = w.to(at::kDouble);
    const at::Tensor weights = at::linalg_solve(rows.matmul(rows.t()), rows.matmul(exact));
    return (exact - rows.t().matmul(weights)).norm().item<double>();
}

LeastSquares makeLeastSquares(std::int64_t points, std::uint64_t seed) {
    const at::Tensor all = at::zeros({2 * points, 12 * points});
    const at::Tensor labels = at::zeros({2 * points});
    const auto stream = randomStream(seed, "least-squares-labels");
    for (std::int64_t i = 0; i < 2 * points; ++i) {
        const bool isPositive = stream.word(static_cast<std::uint64_t>(i)) % 2 == 0;
        labels[i] = isPositive ? 1 : -1;
        all[i][0] = labels[i];
        all[i].narrow(0, 1, 2).fill_(1);
        all[i].narrow(0, 3 + 5 * i, isPositive ? 1 : 5).fill_(1);
    }
    return {all.narrow(0, 0, points), labels.narrow(0, 0, points), all.narrow(0, points, points),
            labels.narrow(0, points, points)};
}

const std::vector<SpanMethod>& spanMethods() {
    static const std::vector<SpanMethod> kTable{
        {"gd", 0.5}, {"ef-signsgd", 10}, {"scaled-signsgd", 10}, {"signum", 0.005}};
    return kTable;
}

std::vector<SpanPoint> runSpanMethod(const LeastSquares& problem,
                                     const SpanMethod& method,
                                     int steps) {
    at::Tensor w = at::zeros({problem.trainPoints.size(1)});
    const Update update = updateOf(method, w.numel());
    std::vector<SpanPoint> curve;
    for (int step = 0; step < steps; ++step) {
        w = w - update(problem.gradientAt(w));
        curve.push_back(
            {problem.trainLossAt(w), problem.testLossAt(w), problem.distanceFromSpanAt(w)});
    }
    return curve;
}

}  // namespace concertina
