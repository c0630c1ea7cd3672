// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/format.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace concertina::gui {
namespace {

constexpr QChar kThinSpace(0x202F);

QString nonFiniteText(double value) {
    if (std::isnan(value)) {
        return "nan";
    }
    return value > 0 ? "inf" : "-inf";
}

/// Three significant digits without an exponent, for 1 <= |value| < 1000.
QString threeDigits(double value) {
    const double size = std::abs(value);
    const int decimals = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
    return QString::number(value, 'f', decimals);
}

}  // namespace

QString numberText(double value) {
    if (!std::isfinite(value)) {
        return nonFiniteText(value);
    }
    return QString::number(value, 'g', 3);
}

QString bytesText(double bytes) {
    if (!std::isfinite(bytes)) {
        return nonFiniteText(bytes);
    }
    static constexpr std::array<const char*, 7> kUnits = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    std::size_t unit = 0;
    double value = bytes;
    while (std::abs(value) >= 999.5 && unit + 1 < kUnits.size()) {
        value /= 1000;
        ++unit;
    }
    const bool whole = unit == 0 || value == std::floor(value);
    const QString digits = whole ? QString::number(value, 'f', 0) : threeDigits(value);
    return digits + kThinSpace + kUnits[unit];
}

QString percentText(double share) {
    if (!std::isfinite(share)) {
        return nonFiniteText(share);
    }
    return QString::number(share * 100, 'f', 1) + kThinSpace + '%';
}

QString timesText(double factor) {
    if (!std::isfinite(factor)) {
        return nonFiniteText(factor);
    }
    return (factor < 1000 ? threeDigits(factor) : QString::number(factor, 'f', 0)) + QChar(0xD7);
}

QString durationText(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0) {
        return "unknown";
    }
    const auto total = static_cast<long long>(std::lround(seconds));
    const auto padded = [](long long part) { return QString("%1").arg(part, 2, 10, QChar('0')); };
    if (total < 60) {
        return QString("%1%2s").arg(total).arg(kThinSpace);
    }
    if (total < 3600) {
        return QString("%1%2min %3%2s").arg(total / 60).arg(kThinSpace).arg(padded(total % 60));
    }
    return QString("%1%2h %3%2min").arg(total / 3600).arg(kThinSpace).arg(padded(total / 60 % 60));
}

}  // namespace concertina::gui
