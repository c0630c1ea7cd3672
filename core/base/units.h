// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them, the same in sentences, tables and plots; and the one place that says
// how epochs are shown. Pure functions, any thread.
#pragma once
#include <cstdint>
#include <string>

namespace concertina {

/// Epochs are stored, computed and exported from 0, and shown from 1: "epoch 1" is the first. Every
/// sentence, table and axis for people goes through this; JSON and CSV keep the stored number.
constexpr int shownEpoch(int epoch) { return epoch + 1; }

/// "812 B", "1.2 kB", "30.4 MB": decimal units, as network people count. Negative and non-finite
/// values are shown too.
std::string formatBytes(double bytes);

/// "0.4 s", "42 s", "3 min 20 s", "2 h 05 min", "3 d 04 h"; "unknown" if negative or not finite.
std::string formatDuration(double seconds);

/// "61,706".
std::string formatCount(std::int64_t count);

/// At most `digits` significant ones, without trailing zeros: "0.62", "0.5", "1.2e-07", "nan".
std::string formatNumber(double value, int digits = 3);

}  // namespace concertina
