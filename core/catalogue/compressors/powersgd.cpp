// SPDX-License-Identifier: Apache-2.0
// PowerSGD: the tensor as an n x m matrix is approximated by P Q^T of rank r. Payload bytes per
// rank and step: 4 r n for P, then 4 r m for Q, r clamped to min(n, m). Communication steps: two
// all-reduces. Formula: methods.md §2.1.
#include <fmt/format.h>

#include <algorithm>

#include "core/catalogue/catalogue.h"

namespace concertina {
namespace {

constexpr std::int64_t kFloatBytes = 4;

BytePlan plan(const Shape& shape, const Settings& level, const Settings& /*options*/) {
    const MatrixSize matrix = matrixOf(shape);
    const std::int64_t rank = std::min({integerOf(level, "rank"), matrix.rows, matrix.columns});
    return {.dense = false,
            .effectiveLevel = fmt::format("rank {}", rank),
            .phases = {{Reduction::Sum, kFloatBytes * matrix.rows * rank},
                       {Reduction::Sum, kFloatBytes * matrix.columns * rank}}};
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
        .options = {},
        .biased = true,
        .linear = true,
        .deterministic = true,
        .needsErrorFeedback = true,
        .byteFormula = "4 r (n + m), r = min(rank, n, m): factors P and Q in fp32",
        .defaultLevels = {Settings{{"rank", std::int64_t{4}}}, Settings{{"rank", std::int64_t{1}}}},
        .plan = plan};
}

}  // namespace concertina
