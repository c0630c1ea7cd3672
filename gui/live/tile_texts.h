// SPDX-License-Identifier: GPL-3.0-or-later
// What the Live page's five tiles say about a run. Pure functions of a RunView.
#pragma once
#include "gui/live/run_view.h"
#include "gui/widgets/tile.h"

namespace concertina::gui {

QStringList tileTitles(const RunView& view);
/// In the order of the titles: accuracy, bytes, savings, critical layers, time.
std::vector<TileText> tileTexts(const RunView& view);

}  // namespace concertina::gui
