// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as every page shows them: core/base/units.h for widgets, and shares and factors besides.
// Non-finite values keep their names. Pure functions, any thread.
#pragma once
#include <QString>

namespace concertina::gui {

QString numberText(double value);      ///< "0.0123", "1.2e-07"; "nan", "inf"
QString bytesText(double bytes);       ///< "1.2 MB", powers of 1000
QString percentText(double share);     ///< 0.8543 -> "85.4 %"
QString timesText(double factor);      ///< "12.3×", "123×"
QString durationText(double seconds);  ///< "42 s", "3 min 20 s", "2 h 05 min"

}  // namespace concertina::gui
