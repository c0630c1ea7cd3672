// SPDX-License-Identifier: Apache-2.0
// TopK: the k elements of largest magnitude, of each tensor or of all together, all-gathered.
// Payload bytes per rank and step: I + 4 k, I the bytes of the indices: the smaller of 4 k (int32)
// and, Elias-Fano, 4 ceil(k b / 32) + 4 ceil((k + floor((n - 1) / 2^b)) / 32), b = floor(log2(n /
// k)); with fp16 values I + 2 k, filled up to 4. Communication steps: one all-gather. Formula:
// methods.md 6.
#include <fmt/format.h>

#include <algorithm>

#include "core/catalogue/catalogue.h"
#include "core/catalogue/compressors/topk_message.h"
#include "core/catalogue/sizes.h"

namespace concertina {
namespace {

BytePlan plan(const Shape& shape, const Settings& level, const Settings& options) {
    const TopkOptions how = topkOptionsOf(options);
    const double ratio = realOf(level, "ratio");
    const std::int64_t elements = elementsOf(shape);
    const std::int64_t kept = keptOf(ratio, elements);
    const std::int64_t bytes = topkMessageOf(kept, elements, how).bytes();
    if (!how.modelScope) {
        return {.dense = false,
                .effectiveLevel = fmt::format("ratio {} (k {})", toText(Value(ratio)), kept),
                .phases = {{Reduction::Gather, bytes}}};
    }
    // A word says how many elements follow; expected is the layer's share by size.
    const std::int64_t capacity = 4 + 4 * elements;
    return {.dense = false,
            .effectiveLevel = fmt::format("ratio {} of the model", toText(Value(ratio))),
            .phases = {{Reduction::Gather, std::min(4 + bytes, capacity), capacity}}};
}

Parameter choice(std::string name, std::vector<std::string> choices, std::string summary) {
    return {.name = std::move(name),
            .type = ParameterType::Choice,
            .unit = "",
            .defaultValue = choices.front(),
            .choices = choices,
            .summary = std::move(summary)};
}

}  // namespace

CompressorDescriptor topkCompressor() {
    return {
        .name = "topk",
        .summary = "Keeps the elements of largest magnitude of each tensor, or of the whole model",
        .levelParameters = {{.name = "ratio",
                             .type = ParameterType::Real,
                             .unit = "1",
                             .defaultValue = 0.01,
                             .min = 0,
                             .max = 1,
                             .minExclusive = true,
                             .summary = "share of elements kept: k = ceil(ratio n), at least 1"}},
        .options = {choice("values", {"fp32", "fp16"},
                           "how values travel; what rounding to fp16 loses stays in the residual"),
                    choice("indices", {"auto", "int32", "elias-fano"},
                           "how indices travel; auto is the smaller of the two"),
                    choice("scope", {"layer", "model"},
                           "where the largest are looked for: in each tensor, or in all compressed "
                           "ones of the same level together, whose messages then vary in size")},
        .biased = true,
        .linear = false,
        .deterministic = true,
        .needsErrorFeedback = true,
        .byteFormula =
            "I + 4 k, k = ceil(ratio n): indices, then fp32 values (fp16: 2 k, filled up to 4); I "
            "= "
            "min(4 k, 4 ceil(k b / 32) + 4 ceil((k + floor((n - 1) / 2^b)) / 32)), b = "
            "floor(log2(n / k)); scope model: 4 more, k as found",
        .defaultLevels = {Settings{{"ratio", 0.1}}, Settings{{"ratio", 0.001}}},
        .plan = plan};
}

}  // namespace concertina
