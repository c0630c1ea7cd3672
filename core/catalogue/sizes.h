// SPDX-License-Identifier: Apache-2.0
// What byte formulas of several compressors have in common. Used by their plans; pure, any thread.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>

namespace concertina {

/// Bytes of `bits` bits in whole words of 4 bytes, as payloads are cut.
constexpr std::int64_t packedBytes(std::int64_t bits) { return (bits + 31) / 32 * 4; }

/// k = ceil(ratio * n), at least 1, at most n. The ratio is a decimal that a double only comes
/// close to: 0.07 * 100 is 7.000000000000001, which must not become 8, so a product within 1e-12 of
/// a whole number counts as that number.
inline std::int64_t keptOf(double ratio, std::int64_t elements) {
    const double exact = ratio * static_cast<double>(elements);
    const auto kept = static_cast<std::int64_t>(std::ceil(exact * (1 - 1e-12)));
    return std::clamp<std::int64_t>(kept, std::min<std::int64_t>(1, elements), elements);
}

}  // namespace concertina
