// SPDX-License-Identifier: Apache-2.0
// TopK: the k elements of largest magnitude of each tensor, as (int32 index, fp32 value) pairs,
// all-gathered. Payload bytes per rank and step: 8 k. Communication steps: one all-gather. Formula:
// methods.md §6.
#include <fmt/format.h>

#include "core/catalogue/catalogue.h"
#include "core/catalogue/sizes.h"

namespace concertina {
namespace {

constexpr std::int64_t kPairBytes = 8;

BytePlan plan(const Shape& shape, const Settings& level, const Settings& /*options*/) {
    const double ratio = realOf(level, "ratio");
    const std::int64_t kept = keptOf(ratio, elementsOf(shape));
    return {.dense = false,
            .effectiveLevel = fmt::format("ratio {} (k {})", toText(Value(ratio)), kept),
            .phases = {{Reduction::Gather, kPairBytes * kept}}};
}

}  // namespace

CompressorDescriptor topkCompressor() {
    return {
        .name = "topk",
        .summary = "Keeps the elements of largest magnitude of each tensor",
        .levelParameters = {{.name = "ratio",
                             .type = ParameterType::Real,
                             .unit = "1",
                             .defaultValue = 0.01,
                             .min = 0,
                             .max = 1,
                             .minExclusive = true,
                             .summary = "share of elements kept: k = ceil(ratio n), at least 1"}},
        .options = {},
        .biased = true,
        .linear = false,
        .deterministic = true,
        .needsErrorFeedback = true,
        .byteFormula = "8 k, k = ceil(ratio n): int32 index and fp32 value of each kept element",
        .defaultLevels = {Settings{{"ratio", 0.1}}, Settings{{"ratio", 0.001}}},
        .plan = plan};
}

}  // namespace concertina
