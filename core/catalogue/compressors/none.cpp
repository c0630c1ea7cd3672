// SPDX-License-Identifier: Apache-2.0
// none: the tensor as it is, in fp32 or in halves. Payload bytes per rank and step: 4 n in fp32, 2
// n rounded up to 4 in halves. Communication steps: one all-reduce.
#include "core/catalogue/catalogue.h"
#include "core/catalogue/sizes.h"

namespace concertina {
namespace {

constexpr std::int64_t kHalfBits = 16;

BytePlan plan(const Shape& shape, const Settings& level, const Settings& /*options*/) {
    const std::string& dtype = textOf(level, "dtype");
    if (dtype == "fp32") {
        return densePlan(shape);
    }
    const Reduction reduction = dtype == "fp16" ? Reduction::SumFp16 : Reduction::SumBf16;
    return {.dense = false,
            .effectiveLevel = dtype,
            .phases = {{reduction, packedBytes(kHalfBits * elementsOf(shape))}}};
}

}  // namespace

CompressorDescriptor noneCompressor() {
    return {
        .name = "none",
        .summary = "Uncompressed gradients in one all-reduce, in fp32 (the reference) or halves",
        .levelParameters = {{.name = "dtype",
                             .type = ParameterType::Choice,
                             .unit = "",
                             .defaultValue = std::string("fp32"),
                             .choices = {"fp32", "fp16", "bf16"},
                             .summary = "type that values travel in; halves are divided by the "
                                        "number of ranks before they are summed"}},
        .options = {},
        .linear = true,
        .byteFormula = "4 n in fp32; 2 n in halves, rounded up to 4",
        .defaultLevels = {Settings{{"dtype", std::string("fp32")}}},
        .plan = plan};
}

}  // namespace concertina
