// SPDX-License-Identifier: Apache-2.0
// TernGrad: each element as -s, 0 or s after clipping. Payload bytes per rank and step: 4 + 2 n /
// 8, rounded up to a multiple of 4, for s and the codes. Communication steps: one all-gather; with
// shared_scaler two, the 4 bytes first. Formula: methods.md §6.
#include "core/catalogue/catalogue.h"
#include "core/catalogue/sizes.h"

namespace concertina {
namespace {

constexpr std::int64_t kScaleBytes = 4;

BytePlan plan(const Shape& shape, const Settings& level, const Settings& options) {
    const std::int64_t codes = packedBytes(2 * elementsOf(shape));
    BytePlan plan{.dense = false, .effectiveLevel = toText(level), .phases = {}};
    if (booleanOf(options, "shared_scaler")) {
        plan.phases = {{Reduction::Gather, kScaleBytes}, {Reduction::Gather, codes}};
    } else {
        plan.phases = {{Reduction::Gather, kScaleBytes + codes}};
    }
    return plan;
}

}  // namespace

CompressorDescriptor terngradCompressor() {
    return {
        .name = "terngrad",
        .summary = "Clipped gradients rounded at random to -s, 0 or s; only the clipping is biased",
        .levelParameters = {{.name = "clip",
                             .type = ParameterType::Real,
                             .unit = "sigma",
                             .defaultValue = 2.5,
                             .min = 0,
                             .max = 1000,
                             .summary = "magnitudes above this many root mean squares of the layer "
                                        "are clipped to it; 0: none are"}},
        .options = {{.name = "shared_scaler",
                     .type = ParameterType::Boolean,
                     .unit = "",
                     .defaultValue = false,
                     .summary = "all ranks take the largest of their s, gathered first"}},
        .biased = true,
        .linear = false,
        .deterministic = false,
        .refusesErrorFeedback = true,
        .byteFormula =
            "4 + 2 n / 8, rounded up to a multiple of 4: s, then a sign and a bit of each "
            "element",
        .defaultLevels = {Settings{{"clip", 2.5}}},
        .plan = plan};
}

}  // namespace concertina
