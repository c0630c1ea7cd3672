// SPDX-License-Identifier: Apache-2.0
// What ATOMO's plan and its compressor both must know of a level. Pure; any thread.
#pragma once
#include "core/catalogue/catalogue.h"

namespace concertina {

/// The expected number of atoms: the level's budget, or below 1 that share of the tensor's atoms
/// (n m entries, or min(n, m) singular values), at least 1 and at most all.
double atomBudget(const MatrixSize& matrix, const Settings& level, bool ofEntries);

inline bool drawsEntries(const Settings& options) { return textOf(options, "basis") == "entry"; }

}  // namespace concertina
