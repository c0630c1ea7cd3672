// SPDX-License-Identifier: Apache-2.0
#include "core/base/units.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace concertina {

std::string formatBytes(double bytes) {
    static constexpr std::array<const char*, 6> kUnits{"B", "kB", "MB", "GB", "TB", "PB"};
    std::size_t unit = 0;
    // 999.95 would be rounded to "1000.0": step up before that.
    while (std::isfinite(bytes) && std::abs(bytes) >= (unit == 0 ? 999.5 : 999.95) &&
           unit + 1 < kUnits.size()) {
        bytes /= 1000;
        ++unit;
    }
    return unit == 0 ? fmt::format("{:.0f} B", bytes)
                     : fmt::format("{:.1f} {}", bytes, kUnits[unit]);
}

std::string formatDuration(double seconds) {
    constexpr double kLongest = 1e15;
    if (!std::isfinite(seconds) || seconds < 0 || seconds > kLongest) {
        return "unknown";
    }
    if (seconds < 9.95) {
        return fmt::format("{:.1f} s", seconds);
    }
    const long long total = std::llround(seconds);
    if (total < 60) {
        return fmt::format("{} s", total);
    }
    if (total < 3600) {
        return fmt::format("{} min {:02} s", total / 60, total % 60);
    }
    constexpr long long kMinutesPerDay = 1440;
    const long long minutes = total / 60;
    if (minutes < kMinutesPerDay) {
        return fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
    }
    return fmt::format("{} d {:02} h", minutes / kMinutesPerDay, minutes / 60 % 24);
}

std::string formatCount(std::int64_t count) {
    std::string text = std::to_string(count);
    const std::ptrdiff_t firstDigit = count < 0 ? 1 : 0;
    for (auto at = std::ssize(text) - 3; at > firstDigit; at -= 3) {
        text.insert(static_cast<std::size_t>(at), 1, ',');
    }
    return text;
}

std::string formatNumber(double value, int digits) { return fmt::format("{:.{}g}", value, digits); }

}  // namespace concertina
