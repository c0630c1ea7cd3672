// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/format.h"

#include <cmath>

#include "core/base/units.h"

namespace concertina::gui {

QString numberText(double value) { return QString::fromStdString(formatNumber(value)); }

QString bytesText(double bytes) { return QString::fromStdString(formatBytes(bytes)); }

QString durationText(double seconds) { return QString::fromStdString(formatDuration(seconds)); }

QString percentText(double share) {
    return std::isfinite(share) ? QString::number(share * 100, 'f', 1) + " %" : numberText(share);
}

QString timesText(double factor) {
    if (!std::isfinite(factor)) {
        return numberText(factor);
    }
    return QString::number(factor, 'f', factor < 99.95 ? 1 : 0) + QChar(0xD7);
}

}  // namespace concertina::gui
