// SPDX-License-Identifier: Apache-2.0
// signSGD (Bernstein et al. 2018) and EF-SignSGD (Karimireddy et al. 2019): one bit per element and
// one scale per tensor. Payload bytes per rank and step: 4 + 4 ceil(n / 32). Communication steps:
// one all-gather. Formula: methods.md §5, §6.
#include <fmt/format.h>

#include "core/catalogue/catalogue.h"
#include "core/catalogue/sizes.h"

namespace concertina {
namespace {

constexpr std::int64_t kScaleBytes = 4;

BytePlan plan(const Shape& shape, const Settings& level, const Settings& /*options*/) {
    return {.dense = false,
            .effectiveLevel = fmt::format("scale {}{}", textOf(level, "scale"),
                                          booleanOf(level, "vote") ? ", vote" : ""),
            .phases = {{Reduction::Gather, kScaleBytes + packedBytes(elementsOf(shape))}}};
}

/// Error memory takes what the mean of scaled signs leaves. Plain signs are as large for small
/// values as for large ones, so a memory of what they leave would not shrink; and of a vote no rank
/// knows what part it had.
std::vector<KeyConflict> conflicts(const Settings& level, const Settings& options) {
    std::vector<KeyConflict> found;
    if (booleanOf(options, "error_feedback") && textOf(level, "scale") != "l1") {
        found.push_back({"scale", "found none with error_feedback true, allowed there: l1"});
    }
    if (booleanOf(options, "error_feedback") && booleanOf(level, "vote")) {
        found.push_back({"vote", "found true with error_feedback true, allowed there: false"});
    }
    return found;
}

}  // namespace

CompressorDescriptor signsgdCompressor() {
    return {.name = "signsgd",
            .summary = "Signs with one scale per tensor: EF-SignSGD, or majority votes of signs",
            .levelParameters =
                {{.name = "scale",
                  .type = ParameterType::Choice,
                  .unit = "",
                  .defaultValue = std::string("l1"),
                  .choices = {"l1", "none"},
                  .summary = "l1: signs times the mean magnitude of the tensor; none: plus or "
                             "minus one"},
                 {.name = "vote",
                  .type = ParameterType::Boolean,
                  .unit = "",
                  .defaultValue = false,
                  .summary = "the sign of most ranks, and 0 in a tie, instead of the mean"}},
            .options = {},
            .biased = true,
            .needsErrorFeedback = true,
            .byteFormula = "4 + 4 ceil(n / 32): fp32 scale and one bit per element",
            .defaultLevels = {Settings{{"scale", std::string("l1")}, {"vote", false}}},
            .plan = plan,
            .conflicts = conflicts};
}

}  // namespace concertina
