// SPDX-License-Identifier: GPL-3.0-or-later
// What the Live plot draws, computed from a RunView without any widget: curves, map rows, stems,
// shaded intervals, and the tables behind them. Pure functions. Epochs are shown from 1: epoch e
// (from 0) is centred on e + 1 and covers half an epoch on each side, so a decision, made between
// two epochs, stands on the edge of the first one it holds for.
#pragma once
#include <optional>
#include <vector>

#include "gui/live/level_map.h"
#include "gui/live/run_view.h"
#include "gui/plots/time_panel.h"

namespace concertina::gui {

double epochX(int epoch);       ///< its centre
double epochStartX(int epoch);  ///< where it begins
double stepX(std::int64_t step, int stepsPerEpoch);
/// What the x axis shows while following: all planned epochs, or a round part of them early on.
QCPRange epochRange(const RunView& view);

std::vector<Curve> lossCurves(const RunView& view, const PlotPalette& palette);
/// Sent and both dense references, per epoch or summed up.
std::vector<Curve> byteCurves(const RunView& view, const PlotPalette& palette, bool cumulative);
Series criticalCounts(const RunView& view);

/// Matrices in network order, then the small tensors: folded into one row, or after it one by one.
std::vector<MapRow> mapRows(const RunView& view, bool smallOpen);
/// i, d, 0, m for a mild cell whose reason is not `critical`; null otherwise.
QChar reasonLetter(Reason reason);

struct NormSummary {
    Series low, median;        // 10 % and 50 % of the layers' norms per epoch
    std::vector<double> high;  // 90 %
    int zeros = 0, nonFinite = 0;
};
/// Over matrices with a positive, finite norm; the others are counted.
NormSummary normSummary(const RunView& view);
Series normSeries(const LayerView& layer);
std::vector<QCPRange> criticalRanges(const RunView& view, int layer);

/// One stem per decision that has a ratio; of one layer emphasized when it is selected.
std::vector<Stems::Stem> ratioStems(const RunView& view,
                                    const PlotPalette& palette,
                                    std::optional<int> selectedLayer);
/// The top of the ratio axis: growth from a small norm may give ratios that would flatten all
/// others.
double ratioTop(const RunView& view);

DataTable layerTable(const RunView& view);  ///< per layer and epoch
DataTable decisionTable(const RunView& view);
DataTable criticalTable(const RunView& view);

}  // namespace concertina::gui
