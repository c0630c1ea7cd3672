// SPDX-License-Identifier: Apache-2.0
// What the byte plans of the sparse compressors share, and the compressors with them: how many
// entries a ratio keeps, and what a message of variable size is expected to hold. Pure; any thread.
#pragma once
#include <cstdint>
#include <string>

#include "core/catalogue/catalogue.h"

namespace concertina {

/// k = ceil(ratio * n), at least 1, at most n. The ratio is a decimal that a double only comes
/// close to: 0.07 * 100 is 7.000000000000001, which must not become 8, so a product within 1e-12 of
/// a whole number counts as that number.
std::int64_t keptOf(double ratio, std::int64_t elements);

/// Share of normally distributed values beyond `deviations` standard deviations on either side.
double normalTail(double deviations);

/// One all-gather of a message that holds the expected entries, 8 bytes each, but no more than all
/// values, 4 bytes each (kernels/select.h). At least one entry is expected, so that no forecast
/// divides by zero.
BytePlan variablePlan(const Shape& shape, std::string effectiveLevel, double expectedEntries);

}  // namespace concertina
