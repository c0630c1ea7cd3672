// SPDX-License-Identifier: GPL-3.0-or-later
// TimePanel: one axis rectangle of a TimePlot with its header, its curves and the table behind
// them. Made by TimePlot::addPanel, which owns it; pages put curves in, the Live page adds further
// plottables. GUI thread.
#pragma once
#include "gui/plots/custom_plot.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "gui/plots/panel_header.h"
#include "gui/plots/plottables.h"
#include "gui/plots/scale_ticker.h"
#include "gui/widgets/data_table.h"

namespace concertina::gui {

struct PlotPalette;

struct PanelText {
    QString title;
    QString question;  // what the plot answers, one line
    QString yTitle;    // with unit
};

/// x ascending and finite, y anything: what cannot be drawn becomes a gap with a cross.
struct Curve {
    QString name;
    QPen pen;
    std::vector<double> x, y;
    bool points = false;  // a mark at each value while there is room
    bool rightAxis = false;
    bool inLegend = true;
};

class TimePanel {
 public:
    /// Room and behaviour in the stack.
    struct Room {
        double stretch = 1;
        int minimumPixels = 70;
        int maximumPixels = QWIDGETSIZE_MAX;
    };
    TimePanel(QCustomPlot& plot, const PanelText& text, const Room& room);

    QCPAxisRect* rect() const { return rect_; }
    QCPAxis* x() const { return rect_->axis(QCPAxis::atBottom); }
    QCPAxis* y() const { return rect_->axis(QCPAxis::atLeft); }
    QCPAxis* rightY() const { return rect_->axis(QCPAxis::atRight); }
    PanelHeader& header() const { return *header_; }

    void setScale(TickUnit unit, bool logarithmic);
    /// Shows the right axis, with a title of its own.
    void setRightScale(TickUnit unit, const QString& title);
    /// Replaces all curves; the legend follows. The y axes fit themselves while the user has not
    /// zoomed them.
    void setCurves(std::vector<Curve> curves);
    const std::vector<Curve>& curves() const { return curves_; }
    /// Legend values are those at x (the last point at or before it), or the last ones without x.
    void setLegendAt(std::optional<double> x);

    /// What the y axis shows instead of what its curves span.
    void setYFitRange(std::optional<QCPRange> range) { yFitRange_ = range; }
    /// A value that the y axis must show besides the curves.
    void setYFitAlso(std::vector<double> values) { yFitAlso_ = std::move(values); }
    void fitY();
    bool isYFitted() const { return yFitted_; }
    void setYFitted(bool fitted) { yFitted_ = fitted; }

    void setColors(const PlotPalette& palette);
    /// Instead of the curves' own values.
    void setTableSource(std::function<DataTable()> source) { tableSource_ = std::move(source); }
    void setXName(const QString& name) { xName_ = name; }
    DataTable table() const;
    void setFormat(std::function<QString(double)> left, std::function<QString(double)> right);

 private:
    std::optional<QCPRange> span(bool rightAxis, bool logarithmic) const;
    DataTable curveTable() const;
    QString yTitle_, xName_ = "x";
    QCPAxisRect* rect_;
    PanelHeader* header_;
    std::vector<Curve> curves_;
    std::vector<CurveSet*> drawn_;
    std::optional<QCPRange> yFitRange_;
    std::vector<double> yFitAlso_;
    bool yFitted_ = true;
    std::function<DataTable()> tableSource_;
    std::function<QString(double)> leftFormat_, rightFormat_;
};

}  // namespace concertina::gui
