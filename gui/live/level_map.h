// SPDX-License-Identifier: GPL-3.0-or-later
// LevelMap: which layer was sent at which level, when, and why. One row per tensor in network
// order, drawn as runs of equal cells: 60 layers of 300 epochs are a few hundred rectangles, not
// 18,000. Right of it each row's share of bytes. A plottable of the Live plot's map panel; row 0 is
// on top. GUI thread.
#pragma once
#include <optional>

#include "gui/plots/plottables.h"

namespace concertina::gui {

struct PlotPalette;

/// Equal cells of consecutive epochs.
struct MapRun {
    int firstEpoch, lastEpoch;  // from 0, inclusive
    int level;                  // -1: dense
    bool critical;
    QChar letter;  // why it is mild though not critical; null: none
    bool operator==(const MapRun&) const = default;
};

struct MapRow {
    int layer;              // -1: the folded row of small tensors
    QString name;           // as the axis shows it
    double bytesShare = 0;  // of everything sent so far, 0..1
    std::vector<MapRun> runs;
    std::vector<int> nonFinite;  // epochs whose norm is not finite
};

class LevelMap : public OwnPlottable {
 public:
    LevelMap(QCPAxis* x, QCPAxis* y);
    void setRows(std::vector<MapRow> rows, int levels);
    const std::vector<MapRow>& rows() const { return rows_; }
    void setSelectedRow(std::optional<int> row) { selected_ = row; }
    std::optional<int> selectedRow() const { return selected_; }
    void setColors(const PlotPalette& palette);
    void setFont(const QFont& font) { font_ = font; }
    /// The row at a pixel, or nothing beside the rows.
    std::optional<int> rowAt(double pixelY) const;
    double rowPixels() const;

 protected:
    void draw(QCPPainter* painter) override;
    QRect clipRect() const override;

 private:
    void drawRow(QCPPainter* painter, int index) const;
    void drawRun(QCPPainter* painter, const MapRun& run, const QRectF& row) const;
    void drawShare(QCPPainter* painter, const MapRow& row, const QRectF& area) const;
    QRectF rowArea(int index) const;

    std::vector<MapRow> rows_;
    int levels_ = 0;
    double largestShare_ = 0;
    std::optional<int> selected_;
    const PlotPalette* palette_;
    QFont font_;
};

}  // namespace concertina::gui
