// SPDX-License-Identifier: Apache-2.0
// PowerSGD: the tensor as an n x m matrix is approximated by P Q^T of rank r. Payload bytes per
// rank and step: 4 r n for P, then 4 r m for Q, for each iteration, r clamped to min(n, m).
// Communication steps: two all-reduces for each iteration. Formula: methods.md §2.1.
#include <fmt/format.h>

#include <algorithm>

#include "core/catalogue/catalogue.h"

namespace concertina {
namespace {

constexpr std::int64_t kFloatBytes = 4;

BytePlan plan(const Shape& shape, const Settings& level, const Settings& options) {
    const MatrixSize matrix = matrixOf(shape);
    const std::int64_t rank = std::min({integerOf(level, "rank"), matrix.rows, matrix.columns});
    const std::int64_t iterations = integerOf(options, "iterations");
    BytePlan plan;
    plan.effectiveLevel = fmt::format("rank {}", rank);
    if (iterations > 1) {
        plan.effectiveLevel += fmt::format(", {} iterations", iterations);
    }
    for (std::int64_t i = 0; i < iterations; ++i) {
        plan.phases.push_back({Reduction::Sum, kFloatBytes * matrix.rows * rank});
        plan.phases.push_back({Reduction::Sum, kFloatBytes * matrix.columns * rank});
    }
    return plan;
}

}  // namespace

CompressorDescriptor powersgdCompressor() {
    return {
        .name = "powersgd",
        .summary = "Low-rank factors P and Q of each matrix, warm-started from the step before",
        .levelParameters = {{.name = "rank",
                             .type = ParameterType::Integer,
                             .unit = "1",
                             .defaultValue = std::int64_t{2},
                             .min = 1,
                             .max = 65536,
                             .summary = "columns of P and Q; clamped to the smaller matrix side"}},
        .options = {{.name = "iterations",
                     .type = ParameterType::Integer,
                     .unit = "1",
                     .defaultValue = std::int64_t{1},
                     .min = 1,
                     .max = 8,
                     .summary = "subspace iterations per step: each sends P and Q again and comes "
                                "nearer to the best approximation"}},
        .biased = true,
        .linear = true,
        .deterministic = true,
        .needsErrorFeedback = true,
        .byteFormula = "4 r (n + m) iterations, r = min(rank, n, m): factors P and Q in fp32",
        .defaultLevels = {Settings{{"rank", std::int64_t{4}}}, Settings{{"rank", std::int64_t{1}}}},
        .plan = plan};
}

}  // namespace concertina
