// SPDX-License-Identifier: Apache-2.0
// A run in words, for people at a terminal. Pure.
#pragma once
#include <string>

#include "core/store/records.h"

namespace concertina {

/// Several lines without the last newline: status and reason, accuracy, bytes with their ratios,
/// mild share, time.
std::string resultText(const RunRow& run);

/// "12/40".
std::string epochsText(const RunRow& run);

}  // namespace concertina
