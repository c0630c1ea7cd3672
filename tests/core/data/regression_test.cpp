// SPDX-License-Identifier: Apache-2.0
// Least squares, solved here, finds the noise and nothing else left over.
#include <ATen/ops/linalg_lstsq.h>
#include <ATen/ops/var.h>
#include <gtest/gtest.h>

#include <numeric>

#include "core/data/dataset.h"
#include "tests/support/data_choice.h"

namespace concertina {
namespace {

Batch whole(const Dataset& data, Split split) {
    std::vector<std::int64_t> indices(static_cast<std::size_t>(data.size(split)));
    std::iota(indices.begin(), indices.end(), 0);
    return data.batch(split, indices);
}

TEST(Regression, LeastSquaresLeavesTheNoiseOnUnseenSamples) {
    const auto data = makeDataset(dataChoice("regression", {{"noise", 0.5},
                                                            {"outputs", std::int64_t{3}},
                                                            {"train_samples", std::int64_t{20000}},
                                                            {"test_samples", std::int64_t{20000}}}),
                                  1);
    const Batch train = whole(*data, Split::Train), test = whole(*data, Split::Test);
    const at::Tensor weights =
        std::get<0>(at::linalg_lstsq(train.inputs, train.targets, {}, std::nullopt));
    const double loss = (test.inputs.matmul(weights) - test.targets).square().mean().item<double>();
    // 60,000 squares of deviation sqrt(2) / 4 each: 0.0015; six of them. The fit itself costs
    // 16 / 20000 of 0.25.
    EXPECT_NEAR(loss, 0.25, 0.01);
}

TEST(Regression, WithoutNoiseTheWeightsFitExactly) {
    const auto data = makeDataset(dataChoice("regression", {{"noise", 0.0}}), 1);
    const Batch train = whole(*data, Split::Train), test = whole(*data, Split::Test);
    const at::Tensor weights =
        std::get<0>(at::linalg_lstsq(train.inputs, train.targets, {}, std::nullopt));
    EXPECT_LT((test.inputs.matmul(weights) - test.targets).abs().max().item<double>(), 1e-4);
}

TEST(Regression, ConditionIsTheRatioOfVariances) {
    const auto data = makeDataset(
        dataChoice("regression", {{"condition", 100.0}, {"train_samples", std::int64_t{20000}}}),
        1);
    const at::Tensor variances = at::var(whole(*data, Split::Train).inputs, 0);
    // A variance of 20,000 samples has relative deviation 1 %.
    EXPECT_NEAR(variances[0].item<double>(), 1, 0.06);
    EXPECT_NEAR(variances[15].item<double>(), 0.01, 0.0006);
}

}  // namespace
}  // namespace concertina
