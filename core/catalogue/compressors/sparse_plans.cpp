// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/compressors/sparse_plans.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace concertina {

double normalTail(double deviations) { return std::erfc(deviations / std::sqrt(2.0)); }

BytePlan variablePlan(const Shape& shape, std::string effectiveLevel, double expectedEntries) {
    const std::int64_t allBytes = 4 * elementsOf(shape);
    const std::int64_t entries = std::max<std::int64_t>(1, std::llround(expectedEntries));
    return {.dense = false,
            .effectiveLevel = std::move(effectiveLevel),
            .phases = {{.reduction = Reduction::Gather,
                        .payloadBytes = std::min(8 * entries, allBytes),
                        .capacityBytes = allBytes}}};
}

}  // namespace concertina
