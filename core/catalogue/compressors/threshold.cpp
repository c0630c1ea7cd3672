// SPDX-License-Identifier: Apache-2.0
// Threshold: every entry at or above a threshold, as (int32 index, fp32 value) pairs, or all values
// where that is no longer. Payload bytes per rank and step: min(8 k, 4 n). Communication steps: one
// all-gather of variable size. The expected k is that of normally distributed values; for "max"
// their largest is taken to be the median one of n, for "none" their rms to be 1. A tensor of fewer
// elements than the square of a threshold relative to the rms goes dense.
#include <fmt/format.h>

#include <cmath>

#include "core/catalogue/compressors/sparse_plans.h"

namespace concertina {
namespace {

/// The median of the largest |x| of n normal values, in standard deviations, by bisection: the m
/// with (1 - tail(m))^n = 1/2.
double largestOfNormals(double elements) {
    const double tail = -std::expm1(-std::log(2.0) / elements);
    double low = 0, high = 40;
    for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        (normalTail(middle) > tail ? low : high) = middle;
    }
    return low;
}

BytePlan plan(const Shape& shape, const Settings& level, const Settings& options) {
    const double threshold = realOf(level, "threshold");
    const std::string& scale = textOf(options, "relative_to");
    const auto elements = static_cast<double>(elementsOf(shape));
    // One entry alone is at most sqrt(n) times the root mean square: beyond that nothing would ever
    // be sent, and the error memory would keep all of it.
    if (scale == "rms" && threshold * threshold > elements) {
        return densePlan(shape, "dense: beyond any entry");
    }
    const double deviations = scale == "max" ? threshold * largestOfNormals(elements) : threshold;
    const std::string unit = scale == "none" ? "" : " " + scale;
    return variablePlan(shape, fmt::format("threshold {}{}", toText(Value(threshold)), unit),
                        elements * normalTail(deviations));
}

std::vector<KeyConflict> conflicts(const Settings& level, const Settings& options) {
    const double threshold = realOf(level, "threshold");
    if (textOf(options, "relative_to") != "max" || threshold <= 1) {
        return {};
    }
    return {{"threshold", fmt::format("found {} with relative_to max, allowed there: at most 1; "
                                      "no entry is larger than the largest",
                                      toText(Value(threshold)))}};
}

}  // namespace

CompressorDescriptor thresholdCompressor() {
    return {.name = "threshold",
            .summary = "Sends the entries at or above a threshold, however many they are",
            .levelParameters = {{.name = "threshold",
                                 .type = ParameterType::Real,
                                 .unit = "1",
                                 .defaultValue = 3.0,
                                 .min = 0,
                                 .minExclusive = true,
                                 .summary =
                                     "entries with |x| >= threshold times relative_to are sent"}},
            .options = {{.name = "relative_to",
                         .type = ParameterType::Choice,
                         .unit = "",
                         .defaultValue = std::string("rms"),
                         .choices = {"rms", "max", "none"},
                         .summary = "what the threshold is a multiple of: the tensor's root mean "
                                    "square, its largest |x|, or 1"}},
            .biased = true,
            .needsErrorFeedback = true,
            .byteFormula =
                "min(8 k, 4 n), k entries with abs(x) >= threshold: int32 index and fp32 value "
                "of each, or all n values; expected k: n erfc(threshold / sqrt 2)",
            // 13 % and 0.3 % of normal values: worth an all-gather up to 7 ranks, and a hundred.
            .defaultLevels = {Settings{{"threshold", 1.5}}, Settings{{"threshold", 3.0}}},
            .plan = plan,
            .conflicts = conflicts};
}

}  // namespace concertina
