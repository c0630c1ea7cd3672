// SPDX-License-Identifier: GPL-3.0-or-later
// From a recorded series to what a painter may draw: pixel polylines clipped to the axis rectangle,
// dots for isolated points, and places of what cannot be drawn. Used by the plottables on the GUI
// thread.
#pragma once
#include <QPointF>
#include <vector>

class QCPAxis;

namespace concertina::gui {

/// x ascending and finite; y anything. Of equal length.
struct Series {
    std::vector<double> x, y;
};

struct Segments {
    std::vector<std::vector<QPointF>> lines;
    std::vector<QPointF> dots;     // points without a neighbour
    std::vector<QPointF> crosses;  // non-finite values, at the height of the value before
};

/// On a logarithmic y axis values <= 0 break the line. At most four points per pixel column,
/// extremes kept.
Segments segmentsOf(const Series& series, const QCPAxis* x, const QCPAxis* y);

}  // namespace concertina::gui
