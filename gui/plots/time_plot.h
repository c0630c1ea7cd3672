// SPDX-License-Identifier: GPL-3.0-or-later
// TimePlot: a stack of panels over one x axis, with the interaction every plot of the workbench
// has: the wheel zooms x at the cursor, Shift+wheel y, dragging pans, Ctrl+drag draws a box,
// double-click fits, Ctrl+C copies the values of the panel under the cursor as TSV, one cursor line
// crosses all panels. Base of the Live and Compare plots. GUI thread.
#pragma once
#include "gui/plots/custom_plot.h"

#include <memory>
#include <optional>
#include <vector>

#include "gui/plots/time_panel.h"

namespace concertina::gui {

class CursorLine;

class TimePlot : public QCustomPlot {
    Q_OBJECT
 public:
    explicit TimePlot(QWidget* parent = nullptr);
    ~TimePlot() override;

    TimePanel& addPanel(const PanelText& text, const TimePanel::Room& room = {});
    const std::vector<std::unique_ptr<TimePanel>>& panels() const { return panels_; }
    TimePanel* panelAt(const QPointF& position) const;

    /// Title under the lowest panel, and the ticker of all (null: the default).
    void setXAxis(const QString& title, const QSharedPointer<QCPAxisTicker>& ticker);
    /// What fit() and following show.
    void setXFitRange(const QCPRange& range);
    /// While following, x keeps to the fit range as data grow; any pan or zoom ends it.
    bool isFollowing() const { return following_; }
    void setFollowing(bool following);
    void fit();

    virtual void setColors(const PlotPalette& palette);
    const PlotPalette& colors() const { return *palette_; }
    /// The line across all panels; none hides it. Repaints the overlay only.
    void setCursorLine(std::optional<double> x);
    std::optional<double> cursorX() const;

    /// By the suffix: PNG at twice the size of the screen, or SVG. The whole file is written, or
    /// what was there is left. Empty, or a sentence.
    QString exportTo(const QString& file);
    /// Opens the table behind a panel.
    void showData(const TimePanel& panel);
    int minimumPlotHeight() const;

 Q_SIGNALS:
    void followingChanged(bool following);
    void cursorMoved(double x);  ///< not snapped to any value
    void cursorLeft();

 protected:
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void processRectZoom(QRect rect, QMouseEvent* event) override;
    bool wasDragged() const { return dragged_; }

 private:
    void setXRange(const QCPRange& range);
    void userChangedRange(TimePanel* panel);
    void copyValues();
    bool drawSvg(QIODevice& device);

    std::vector<std::unique_ptr<TimePanel>> panels_;
    QCPMarginGroup* margins_;
    CursorLine* cursorLine_;
    const PlotPalette* palette_;
    QCPRange xFitRange_{0, 1};
    bool following_ = true, dragged_ = false, settingRange_ = false;
    QPoint pressedAt_;
    TimePanel* hovered_ = nullptr;
};

}  // namespace concertina::gui
