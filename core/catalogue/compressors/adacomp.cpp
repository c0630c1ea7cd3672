// SPDX-License-Identifier: Apache-2.0
// AdaComp: of each bin of T elements those that this step's gradient, added once more, lifts to the
// bin's largest magnitude, as (int32 index, fp32 value) pairs, or all values where that is no
// longer. Payload bytes per rank and step: min(8 k, 4 n). Communication steps: one all-gather of
// variable size. Formula: methods.md 7.2.
#include <fmt/format.h>

#include <algorithm>

#include "core/catalogue/compressors/sparse_plans.h"

namespace concertina {
namespace {

/// What a simulation of error feedback with independent normal gradients settles at, within a tenth
/// for bins of 2 to 5000: 1.4 of 2, 3.3 of 10, 5.6 of 50, 6.0 of 500. (The first steps send more, a
/// fifth of bins of 50: there the gradient is as large as what waits. With gradients that agree
/// from step to step it is fewer: 4.1 of 50.)
double expectedOfBin(double bin) { return 6 * bin / (bin + 7); }

BytePlan plan(const Shape& shape, const Settings& level, const Settings& /*options*/) {
    const std::int64_t bin = integerOf(level, "bin");
    const auto elements = static_cast<double>(elementsOf(shape));
    const double length = std::clamp(elements, 1.0, static_cast<double>(bin));
    return variablePlan(shape, fmt::format("bin {}", bin),
                        elements / length * expectedOfBin(length));
}

}  // namespace

CompressorDescriptor adacompCompressor() {
    return {.name = "adacomp",
            .summary =
                "Sends of each bin of elements what comes near its largest, so that the number "
                "adapts to layer and phase by itself",
            .levelParameters = {{.name = "bin",
                                 .type = ParameterType::Integer,
                                 .unit = "elements",
                                 .defaultValue = std::int64_t{50},
                                 .min = 1,
                                 .max = 2147483647,
                                 .summary = "elements of a bin; the more, the fewer are sent"}},
            .options = {},
            .biased = true,
            .needsErrorFeedback = true,
            .byteFormula =
                "min(8 k, 4 n), k entries that reach their bin's largest: int32 index and "
                "fp32 value of each, or all n values; expected k: 6 n / (bin + 7)",
            // The paper's bins for convolutions and for fully connected layers.
            .defaultLevels = {Settings{{"bin", std::int64_t{50}}},
                              Settings{{"bin", std::int64_t{500}}}},
            .plan = plan};
}

}  // namespace concertina
