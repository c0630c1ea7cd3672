// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/catalogue.h"

namespace concertina {
namespace {

BytePlan plan(const Shape& shape, const Settings& /*level*/, const Settings& /*options*/) {
    return densePlan(shape);
}

}  // namespace

CompressorDescriptor noneCompressor() {
    return {.name = "none",
            .summary = "Uncompressed fp32 gradients in one all-reduce: the reference",
            .levelParameters = {},
            .options = {},
            .linear = true,
            .byteFormula = "4 n",
            .defaultLevels = {Settings{}},
            .plan = plan};
}

}  // namespace concertina
