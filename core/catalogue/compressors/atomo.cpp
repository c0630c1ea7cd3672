// SPDX-License-Identifier: Apache-2.0
// ATOMO: an unbiased draw of s atoms of each tensor, s expected. Payload bytes per rank and step:
// 8 an entry that was drawn, 4 (n + m) a singular vector pair, and never more than 4 n m.
// Communication steps: the sizes, then one all-gather. Formula: methods.md §4.
#include "core/catalogue/compressors/atomo.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace concertina {
namespace {

constexpr std::int64_t kFloatBytes = 4;
constexpr std::int64_t kPairBytes = 8;

BytePlan plan(const Shape& shape, const Settings& level, const Settings& options) {
    const MatrixSize matrix = matrixOf(shape);
    const bool ofEntries = drawsEntries(options);
    const double budget = atomBudget(matrix, level, ofEntries);
    const std::int64_t atomBytes =
        ofEntries ? kPairBytes : kFloatBytes * (matrix.rows + matrix.columns);
    const std::int64_t mostBytes = kFloatBytes * elementsOf(shape);
    const auto expectedBytes =
        kFloatBytes *
        static_cast<std::int64_t>(std::ceil(budget * static_cast<double>(atomBytes) / kFloatBytes));
    return {.dense = false,
            .effectiveLevel =
                fmt::format("budget {} (s {})", toText(level.at("budget")), toText(Value(budget))),
            .phases = {{.reduction = Reduction::Gather,
                        .payloadBytes = std::min(expectedBytes, mostBytes),
                        .capacityBytes = mostBytes}}};
}

}  // namespace

double atomBudget(const MatrixSize& matrix, const Settings& level, bool ofEntries) {
    const auto atoms = static_cast<double>(ofEntries ? matrix.rows * matrix.columns
                                                     : std::min(matrix.rows, matrix.columns));
    const double budget = realOf(level, "budget");
    return std::min(budget < 1 ? std::max(budget * atoms, 1.0) : budget, atoms);
}

CompressorDescriptor atomoCompressor() {
    return {.name = "atomo",
            .summary =
                "Draws a few entries or singular vector pairs, unbiased, with the least "
                "variance for their expected number",
            .levelParameters = {{.name = "budget",
                                 .type = ParameterType::Real,
                                 .unit = "1",
                                 .defaultValue = 3.0,
                                 .min = 0,
                                 .max = 1e12,
                                 .minExclusive = true,
                                 .summary = "expected number of atoms s; below 1 the share of a "
                                            "tensor's atoms, at least one: 1 is one atom"}},
            .options = {{.name = "basis",
                         .type = ParameterType::Choice,
                         .unit = "",
                         .defaultValue = std::string("singular"),
                         .choices = {"entry", "singular"},
                         .summary = "what an atom is: an entry, or a pair of singular vectors, "
                                    "which costs a decomposition of each matrix in every step"}},
            .biased = false,
            .linear = false,
            .deterministic = false,
            .refusesErrorFeedback = true,
            .byteFormula =
                "8 k for k drawn entries, 4 k (n + m) for k drawn singular vector "
                "pairs, at most 4 n m; s = budget of them are expected",
            .defaultLevels = {Settings{{"budget", 3.0}}, Settings{{"budget", 1.0}}},
            .plan = plan};
}

}  // namespace concertina
