// SPDX-License-Identifier: GPL-3.0-or-later
// PlotPalette: every colour a plot may use, once for light and once for dark, and the theme of the
// whole application. Used by all plots and pages on the GUI thread. Orange belongs to the detector
// alone; blue in the level map means level.
#pragma once
#include <QColor>
#include <QPen>
#include <array>

class QApplication;

namespace concertina::gui {

struct PlotPalette {
    bool dark;
    QColor background, text;
    QColor muted;          // captions, axis text
    QColor grid, context;  // context: lines that are there for comparison only
    QColor mild, strong;   // ends of the level ramp
    QColor dense;
    QColor critical;
    QColor accuracy, loss;
    std::array<QColor, 6> runs;
    double shadingOpacity;  // of critical intervals behind curves
};

const PlotPalette& plotPalette(bool dark);

/// Level 0 is the mildest (more bytes, farther from the background). With one level it is mild.
QColor levelColor(const PlotPalette& palette, int level, int levels);

/// Six colours, then the same six dashed, then the context colour (until hovered).
QPen runPen(const PlotPalette& palette, int index, double width);

enum class Theme { System, Light, Dark };
/// System asks the desktop portal's color-scheme over D-Bus (Qt 6.4 cannot tell), else the
/// application's palette. Waits at most a fifth of a second for the portal. Call it before
/// applyTheme.
bool isDark(Theme theme);
/// Fusion style, palette and fonts. May be called again to switch.
void applyTheme(QApplication& application, bool dark);

}  // namespace concertina::gui
