// SPDX-License-Identifier: Apache-2.0
// 1-bit SGD (Seide, Fu, Droppo, Li, Yu 2014): one bit per element and two means per matrix row.
// Payload bytes per rank and step: 8 n + 4 ceil(n m / 32) for n rows and m columns. Communication
// steps: one all-gather. Formula: methods.md §6.
#include "core/catalogue/catalogue.h"
#include "core/catalogue/sizes.h"

namespace concertina {
namespace {

constexpr std::int64_t kMeansBytes = 8;

BytePlan plan(const Shape& shape, const Settings& /*level*/, const Settings& /*options*/) {
    return {.dense = false,
            .effectiveLevel = "one bit",
            .phases = {{Reduction::Gather,
                        kMeansBytes * matrixOf(shape).rows + packedBytes(elementsOf(shape))}}};
}

}  // namespace

CompressorDescriptor onebitCompressor() {
    return {.name = "onebit",
            .summary = "Signs with the means of the positive and the negative weights of each unit",
            .levelParameters = {},
            .options = {},
            .biased = true,
            .needsErrorFeedback = true,
            .byteFormula = "8 n + 4 ceil(n m / 32): two fp32 means per row and one bit per element",
            .defaultLevels = {Settings{}},
            .plan = plan};
}

}  // namespace concertina
