// SPDX-License-Identifier: Apache-2.0
// What the byte plans of the sparse compressors share: what a message of variable size is
// expected to hold. Pure; any thread.
#pragma once
#include <cstdint>
#include <string>

#include "core/catalogue/catalogue.h"

namespace concertina {

/// Share of normally distributed values beyond `deviations` standard deviations on either side.
double normalTail(double deviations);

/// One all-gather of a message that holds the expected entries, 8 bytes each, but no more than all
/// values, 4 bytes each (kernels/select.h). At least one entry is expected, so that no forecast
/// divides by zero.
BytePlan variablePlan(const Shape& shape, std::string effectiveLevel, double expectedEntries);

}  // namespace concertina
