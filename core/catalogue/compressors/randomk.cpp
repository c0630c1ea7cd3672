// SPDX-License-Identifier: Apache-2.0
// RandomK: k elements at positions that all ranks draw alike, so that no indices travel and sums
// can. Payload bytes per rank and step: 4 k. Communication steps: one all-reduce. Formula:
// methods.md §6.
#include <fmt/format.h>

#include "core/catalogue/catalogue.h"
#include "core/catalogue/sizes.h"

namespace concertina {
namespace {

constexpr std::int64_t kFloatBytes = 4;

BytePlan plan(const Shape& shape, const Settings& level, const Settings& /*options*/) {
    const double ratio = realOf(level, "ratio");
    const std::int64_t kept = keptOf(ratio, elementsOf(shape));
    return {.dense = false,
            .effectiveLevel = fmt::format("ratio {} (k {})", toText(Value(ratio)), kept),
            .phases = {{Reduction::Sum, kFloatBytes * kept}}};
}

/// n / k times an element is right on the average, but its noise is n / k - 1 times what came in:
/// no contraction, so the memory of it would grow.
std::vector<KeyConflict> conflicts(const Settings& /*level*/, const Settings& options) {
    if (textOf(options, "scale") == "unbiased" && booleanOf(options, "error_feedback")) {
        return {{"scale", "found unbiased with error_feedback true, allowed there: none"}};
    }
    return {};
}

}  // namespace

CompressorDescriptor randomkCompressor() {
    return {
        .name = "randomk",
        .summary = "Elements at random positions, the same on all ranks, without index traffic",
        .levelParameters = {{.name = "ratio",
                             .type = ParameterType::Real,
                             .unit = "1",
                             .defaultValue = 0.01,
                             .min = 0,
                             .max = 1,
                             .minExclusive = true,
                             .summary = "share of elements sent: k = ceil(ratio n), at least 1"}},
        .options = {{.name = "block",
                     .type = ParameterType::Boolean,
                     .unit = "",
                     .defaultValue = false,
                     .summary = "neighbours from a random start, going on at the beginning "
                                "after the end, instead of scattered elements"},
                    {.name = "scale",
                     .type = ParameterType::Choice,
                     .unit = "",
                     .defaultValue = std::string("none"),
                     .choices = {"none", "unbiased"},
                     .summary = "unbiased: sent values are multiplied by n / k, which needs "
                                "error_feedback = false"}},
        .biased = true,
        .linear = true,
        .deterministic = false,
        .needsErrorFeedback = true,
        .byteFormula = "4 k, k = ceil(ratio n): fp32 values; positions are drawn, not sent",
        .defaultLevels = {Settings{{"ratio", 0.1}}, Settings{{"ratio", 0.01}}},
        .plan = plan,
        .conflicts = conflicts};
}

}  // namespace concertina
