// SPDX-License-Identifier: GPL-3.0-or-later
// From a series that core/analysis has cut to what a painter may draw: pixel polylines clipped to
// the axis rectangle (an SVG painter does not clip), dots for isolated points, crosses for values
// that are not finite. GUI thread.
#pragma once
#include <QPointF>
#include <vector>

#include "core/analysis/series.h"

class QCPAxis;

namespace concertina::gui {

/// x ascending and finite; y anything. Of equal length.
struct Series {
    std::vector<double> x, y;
};

struct Segments {
    std::vector<std::vector<QPointF>> lines;
    std::vector<QPointF> dots;     // points without a neighbour
    std::vector<QPointF> crosses;  // non-finite values
};

/// REQUIRES: cut for the scale that `y` has.
Segments segmentsOf(const DrawableSeries& series, const QCPAxis* x, const QCPAxis* y);

}  // namespace concertina::gui
