// SPDX-License-Identifier: Apache-2.0
// DGC: about k entries of largest magnitude, by a threshold estimated from a sample, as (int32
// index, fp32 value) pairs, or all values where that is no longer. Payload bytes per rank and step:
// min(8 k', 4 n), k' between 0.7 k and 1.3 k where the threshold could be found. Communication
// steps: one all-gather of variable size. Formula: methods.md 6.
#include <fmt/format.h>

#include "core/catalogue/compressors/sparse_plans.h"
#include "core/catalogue/sizes.h"

namespace concertina {
namespace {

BytePlan plan(const Shape& shape, const Settings& level, const Settings& /*options*/) {
    const double ratio = realOf(level, "ratio");
    const std::int64_t kept = keptOf(ratio, elementsOf(shape));
    return variablePlan(shape, fmt::format("ratio {} (k near {})", toText(Value(ratio)), kept),
                        static_cast<double>(kept));
}

}  // namespace

CompressorDescriptor dgcCompressor() {
    return {.name = "dgc",
            .summary =
                "Deep Gradient Compression: largest magnitudes by a sampled threshold; masks the "
                "momentum of what it sends where momentum_place is before",
            .levelParameters = {{.name = "ratio",
                                 .type = ParameterType::Real,
                                 .unit = "1",
                                 .defaultValue = 0.001,
                                 .min = 0,
                                 .max = 1,
                                 .minExclusive = true,
                                 .summary =
                                     "share of elements aimed at: k = ceil(ratio n), at least 1"}},
            .options = {{.name = "warmup_steps",
                         .type = ParameterType::Integer,
                         .unit = "steps",
                         .defaultValue = std::int64_t{0},
                         .min = 0,
                         .summary =
                             "first steps, in four equal parts with ratios 0.25, 0.0625, 0.015625 "
                             "and 0.00390625 where these are above the level's"}},
            .biased = true,
            .needsErrorFeedback = true,
            .byteFormula =
                "min(8 k, 4 n), k within 30 % of ceil(ratio n) where a threshold for that "
                "exists: int32 index and fp32 value of each, or all n values",
            .defaultLevels = {Settings{{"ratio", 0.05}}, Settings{{"ratio", 0.001}}},
            .plan = plan};
}

}  // namespace concertina
