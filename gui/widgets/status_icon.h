// SPDX-License-Identifier: GPL-3.0-or-later
// The shape of a run's status: each status has a shape of its own, so that colour only helps. Used
// by the runs table and wherever a run is named. GUI thread.
#pragma once
#include <QRectF>

#include "core/store/records.h"
#include "gui/widgets/palette.h"

class QPainter;

namespace concertina::gui {

void paintStatusIcon(QPainter& painter,
                     const QRectF& box,
                     RunStatus status,
                     const PlotPalette& palette);
/// Whether the application's palette is a dark one now.
bool isDarkPalette();

}  // namespace concertina::gui
