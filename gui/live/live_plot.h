// SPDX-License-Identifier: GPL-3.0-or-later
// LivePlot: the six linked panels of the Live page: loss and accuracy, bytes, critical layers,
// level map, gradient norm, change ratio. Draws what live_curves.h computes; knows which layer is
// selected and where the cursor is. GUI thread.
#pragma once
#include <optional>

#include "gui/live/run_view.h"
#include "gui/plots/time_plot.h"

namespace concertina::gui {

class LevelMap;

class LivePlot : public TimePlot {
    Q_OBJECT
 public:
    /// `view` outlives the plot.
    explicit LivePlot(const RunView& view, QWidget* parent = nullptr);
    /// The view changed: computes everything again and repaints.
    void refresh();
    void setCumulativeBytes(bool cumulative);
    void setColors(const PlotPalette& palette) override;

    void selectLayer(std::optional<int> layer);
    std::optional<int> selectedLayer() const { return selected_; }
    void setSmallTensorsOpen(bool open);
    /// The epoch (from 0) under the cursor, and the layer when the cursor is in the map.
    void setCursorEpoch(std::optional<int> epoch);
    std::optional<int> cursorEpoch() const { return cursorEpoch_; }
    std::optional<int> hoveredLayer() const { return hoveredLayer_; }
    const LevelMap& map() const { return *map_; }
    TimePanel& mapPanel() const { return *mapPanel_; }

 Q_SIGNALS:
    void selectionChanged();
    void cursorChanged();

 protected:
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

 private:
    void addPanels();
    void refreshLoss();
    void refreshBytes();
    void refreshCritical();
    void refreshMap();
    void refreshNorm();
    void refreshRatio();
    void mapLegend();
    void selectRow(std::optional<int> row);
    void moveSelection(int rows);
    std::vector<LegendEntry> normLegend() const;
    const LayerView* selectedView() const;

    const RunView& view_;
    int zeroNorms_ = 0, nonFiniteNorms_ = 0;
    bool cumulative_ = false, smallOpen_ = false;
    std::optional<int> selected_, cursorEpoch_, hoveredLayer_;
    TimePanel *lossPanel_, *bytesPanel_, *criticalPanel_, *mapPanel_, *normPanel_, *ratioPanel_;
    StepArea* critical_;
    LevelMap* map_;
    Band* normBand_;
    CurveSet* otherNorms_;
    Shading *normShading_, *ratioShading_;
    Stems* stems_;
    EdgeLabels *byteLabels_, *etaLabel_;
};

}  // namespace concertina::gui
