// SPDX-License-Identifier: Apache-2.0
// Variance: the entries whose square exceeds alpha times the sum of their squared gradients, as
// (int32 index, fp32 value) pairs, or all values where that is no longer. Payload bytes per rank
// and step: min(8 k, 4 n). Communication steps: one all-gather of variable size. Formula:
// methods.md 7.2.
#include <fmt/format.h>

#include <algorithm>

#include "core/catalogue/compressors/sparse_plans.h"

namespace concertina {
namespace {

/// What a simulation of error feedback with independent normal gradients of mean 0 sends from step
/// 150 to step 300, within a half for alpha from 1 to 9: 8.5 % at 1, 0.8 % at 2, 0.1 % at 4. Where
/// gradients agree from step to step it is more (0.4 % at 4, where their mean is a tenth of their
/// spread); below 1 the first gradient is sent at once.
double expectedShare(double alpha) { return alpha < 1 ? 1 : 0.085 / (alpha * alpha * alpha); }

BytePlan plan(const Shape& shape, const Settings& level, const Settings& /*options*/) {
    const double alpha = realOf(level, "alpha");
    const auto elements = static_cast<double>(elementsOf(shape));
    return variablePlan(shape, fmt::format("alpha {}", toText(Value(alpha))),
                        elements * expectedShare(alpha));
}

}  // namespace

CompressorDescriptor varianceCompressor() {
    return {.name = "variance",
            .summary =
                "Sends an entry once it is large beside the spread of its gradients; the spread "
                "is of each rank's mini-batches, not of single samples as in the paper",
            .levelParameters = {{.name = "alpha",
                                 .type = ParameterType::Real,
                                 .unit = "1",
                                 .defaultValue = 2.0,
                                 .min = 0,
                                 .minExclusive = true,
                                 .summary =
                                     "an entry r is sent where r^2 > alpha v, v the decaying sum "
                                     "of its squared gradients"}},
            .options = {},
            .biased = true,
            .needsErrorFeedback = true,
            .byteFormula =
                "min(8 k, 4 n), k entries with r^2 > alpha v: int32 index and fp32 value of "
                "each, or all n values; expected k: 0.085 n / alpha^3, n below 1",
            .defaultLevels = {Settings{{"alpha", 1.0}}, Settings{{"alpha", 4.0}}},
            .plan = plan};
}

}  // namespace concertina
