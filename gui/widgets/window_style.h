// SPDX-License-Identifier: GPL-3.0-or-later
// The few style rules beyond the Fusion palette, by object name (buttons by the property `role`):
// title, lead, heading, hint, mistake, card, primary, bottomBar, navigation. Set once on the main
// window and again when the theme changes. GUI thread.
#pragma once
#include <QString>

namespace concertina::gui {

struct PlotPalette;

QString windowStyleSheet(const PlotPalette& palette);

}  // namespace concertina::gui
