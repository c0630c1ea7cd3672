// SPDX-License-Identifier: Apache-2.0
// Natural compression: each element rounded to a power of two. Payload bytes per rank and step,
// exponent: 9 n / 8, rounded up to a multiple of 4; dithering: 4 ceil(n / bucket) + bits n / 8,
// rounded up to a multiple of 4. Communication steps: one all-gather. Formula: methods.md §6.
#include <fmt/format.h>

#include "core/catalogue/compressors/buckets.h"
#include "core/catalogue/sizes.h"

namespace concertina {
namespace {

bool isExponent(const Settings& level) { return textOf(level, "coding") == "exponent"; }

BytePlan plan(const Shape& shape, const Settings& level, const Settings& options) {
    const std::int64_t n = elementsOf(shape);
    if (isExponent(level)) {
        return {.dense = false,
                .effectiveLevel = "exponent",
                .phases = {{Reduction::Gather, packedBytes(9 * n)}}};
    }
    const std::int64_t bits = integerOf(level, "bits");
    const std::int64_t bucket = integerOf(options, "bucket");
    return {.dense = false,
            .effectiveLevel = fmt::format("dithering, bits {}", bits),
            .phases = {{Reduction::Gather, scaleBytes(n, bucket) + packedBytes(bits * n)}}};
}

std::vector<KeyConflict> conflicts(const Settings& level, const Settings& options) {
    std::vector<KeyConflict> found = bucketConflicts(options);
    if (!isExponent(level) && booleanOf(options, "error_feedback")) {
        found.push_back({"coding",
                         "found dithering with error_feedback true, allowed there: exponent; the "
                         "noise of dithering may exceed its input, and memory of it would grow"});
    }
    return found;
}

Settings levelOf(const char* coding) {
    return {{"coding", std::string(coding)}, {"bits", std::int64_t{4}}};
}

}  // namespace

CompressorDescriptor naturalCompressor() {
    return {
        .name = "natural",
        .summary = "Unbiased stochastic rounding to powers of two",
        .levelParameters = {{.name = "coding",
                             .type = ParameterType::Choice,
                             .unit = "",
                             .defaultValue = std::string("exponent"),
                             .choices = {"exponent", "dithering"},
                             .summary = "sign and exponent of each element (9 bits), or levels 1, "
                                        "1/2, ..., 2^(1-s) of each bucket's norm"},
                            {.name = "bits",
                             .type = ParameterType::Integer,
                             .unit = "bits",
                             .defaultValue = std::int64_t{4},
                             .min = 2,
                             .max = 8,
                             .summary = "of dithering: a sign and a level, s = 2^(bits-1) - 1"}},
        .options = {{.name = "bucket",
                     .type = ParameterType::Integer,
                     .unit = "elements",
                     .defaultValue = std::int64_t{512},
                     .min = 32,
                     .max = 65536,
                     .summary = "of dithering: elements that share a norm; a multiple of 32"},
                    {.name = "norm",
                     .type = ParameterType::Choice,
                     .unit = "",
                     .defaultValue = std::string("l2"),
                     .choices = {"l2", "max"},
                     .summary = "of dithering: the l2 norm, or the largest magnitude"}},
        .biased = false,
        .linear = false,
        .deterministic = false,
        .byteFormula =
            "9 n / 8, rounded up to a multiple of 4: signs and exponents; dithering: 4 "
            "ceil(n / bucket) + bits n / 8, rounded up to a multiple of 4",
        .defaultLevels = {levelOf("exponent"), levelOf("dithering")},
        .plan = plan,
        .conflicts = conflicts};
}

}  // namespace concertina
