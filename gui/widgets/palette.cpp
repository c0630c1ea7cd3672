// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/palette.h"

#include <algorithm>
#include <cmath>

namespace concertina::gui {
namespace {

QColor mixed(const QColor& from, const QColor& to, double share) {
    const auto channel = [share](int a, int b) { return int(std::lround(a + (b - a) * share)); };
    return QColor(channel(from.red(), to.red()), channel(from.green(), to.green()),
                  channel(from.blue(), to.blue()));
}

PlotPalette lightPalette() {
    return {.dark = false,
            .background = 0xFFFFFF,
            .text = 0x222831,
            .muted = 0x5F6772,
            .grid = 0xE6E8EB,
            .context = 0xC3C8CE,
            .mild = 0x1F6FB5,
            .strong = 0xA9CFEC,
            .dense = 0x3C4550,
            .critical = 0xD55E00,
            .accuracy = 0x0B8F5A,
            .loss = 0x8E2A6B,
            .runs = {0x1F5FA8, 0xD55E00, 0x0B8F5A, 0x8E2A6B, 0x3C9BD6, 0x222831},
            .shadingOpacity = 0.14};
}

PlotPalette darkPalette() {
    return {.dark = true,
            .background = 0x1B1E23,
            .text = 0xD3D8DF,
            .muted = 0x99A1AC,
            .grid = 0x30353C,
            .context = 0x555C66,
            .mild = 0x5FAEF0,
            .strong = 0x2A5580,
            .dense = 0xB4BAC3,
            .critical = 0xF28E2B,
            .accuracy = 0x4FE0B5,
            .loss = 0xC565A8,
            .runs = {0x5AA0FF, 0xFF8A3D, 0x4FE0B5, 0xC565A8, 0xB9E3FF, 0xF3F4F6},
            .shadingOpacity = 0.20};
}

}  // namespace

const PlotPalette& plotPalette(bool dark) {
    static const PlotPalette kLight = lightPalette();
    static const PlotPalette kDark = darkPalette();
    return dark ? kDark : kLight;
}

QColor levelColor(const PlotPalette& palette, int level, int levels) {
    if (levels < 2) {
        return palette.mild;
    }
    const int clamped = std::clamp(level, 0, levels - 1);
    return mixed(palette.mild, palette.strong, double(clamped) / (levels - 1));
}

QPen runPen(const PlotPalette& palette, int index, double width) {
    const int colors = int(palette.runs.size());
    if (index >= 2 * colors) {
        return QPen(palette.context, width);
    }
    const auto style = index < colors ? Qt::SolidLine : Qt::DashLine;
    return QPen(palette.runs[std::size_t(index % colors)], width, style);
}

}  // namespace concertina::gui
