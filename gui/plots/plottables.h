// SPDX-License-Identifier: GPL-3.0-or-later
// What our plots are drawn with, besides the level map: sets of curves, a band, shaded intervals,
// stems, and labels in the right margin. Each draws all its marks itself: QCustomPlot's per-curve
// and per-item objects cost a hundred times more with 60 layers. None takes part in automatic
// ranges; panels know their data. GUI thread.
#pragma once
#include "gui/plots/custom_plot.h"

#include "gui/plots/segments.h"

namespace concertina::gui {

/// What all of ours share: not selectable, no automatic range, no legend of QCustomPlot.
class OwnPlottable : public QCPAbstractPlottable {
 public:
    OwnPlottable(QCPAxis* x, QCPAxis* y, const QString& layer = "main");
    double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }
    QCPRange getKeyRange(bool& found, QCP::SignDomain) const override;
    QCPRange getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const override;

 protected:
    void drawLegendIcon(QCPPainter*, const QRectF&) const override {}
    QRectF box() const { return QRectF(mKeyAxis->axisRect()->rect()); }
    double pixelX(double x) const { return mKeyAxis->coordToPixel(x); }
    double pixelY(double y) const { return mValueAxis->coordToPixel(y); }
};

/// Series with one pen. Isolated points are dots, non-finite values crosses.
class CurveSet : public OwnPlottable {
 public:
    using OwnPlottable::OwnPlottable;
    void setSeries(std::vector<Series> series);
    void setPointSize(double pixels) { pointPixels_ = pixels; }  ///< 0: no mark at each point

 protected:
    void draw(QCPPainter* painter) override;

 private:
    void cutForScale();
    void drawPoints(QCPPainter* painter, const Series& series) const;
    std::vector<Series> series_;
    std::vector<DrawableSeries> cut_;  // kept between redraws; a run may have a million steps
    AxisScale cutScale_ = AxisScale::Linear;
    double pointPixels_ = 0;
};

/// The area between two curves over the same x; drawn with the brush. Gaps where either is not
/// drawable.
class Band : public OwnPlottable {
 public:
    using OwnPlottable::OwnPlottable;
    void setData(Series low, std::vector<double> high);

 protected:
    void draw(QCPPainter* painter) override;

 private:
    void drawRun(QCPPainter* painter, std::size_t begin, std::size_t end) const;
    Series low_;
    std::vector<double> high_;
};

/// Intervals of x over the whole height: a pale fill with a cap of 3 px on top.
class Shading : public OwnPlottable {
 public:
    using OwnPlottable::OwnPlottable;
    void setIntervals(std::vector<QCPRange> intervals) { intervals_ = std::move(intervals); }
    void setColor(const QColor& color, double opacity);

 protected:
    void draw(QCPPainter* painter) override;

 private:
    std::vector<QCPRange> intervals_;
};

/// Steps filled down to zero: value[i] holds from x[i] - 0.5 to x[i] + 0.5.
class StepArea : public OwnPlottable {
 public:
    using OwnPlottable::OwnPlottable;
    void setSeries(Series series) { series_ = std::move(series); }

 protected:
    void draw(QCPPainter* painter) override;

 private:
    Series series_;
};

/// Vertical stems with a head. A value above the axis becomes a triangle at the top edge.
class Stems : public OwnPlottable {
 public:
    struct Stem {
        double x, y;
        QColor color;
        bool emphasized;
    };
    using OwnPlottable::OwnPlottable;
    void setStems(std::vector<Stem> stems) { stems_ = std::move(stems); }

 protected:
    void draw(QCPPainter* painter) override;

 private:
    std::vector<Stem> stems_;
};

/// Text in the right margin at the height of a value, pushed apart where it would overlap.
class EdgeLabels : public OwnPlottable {
 public:
    struct Label {
        double y;
        QString text;
        QColor color;
    };
    using OwnPlottable::OwnPlottable;
    void setLabels(std::vector<Label> labels) { labels_ = std::move(labels); }
    void setFont(const QFont& font) { font_ = font; }

 protected:
    void draw(QCPPainter* painter) override;
    QRect clipRect() const override;

 private:
    std::vector<Label> labels_;
    QFont font_;
};

/// Lines of one pen, drawn one by one: a polyline with an antialiased pen above 1 px costs a
/// hundred times more.
void drawLines(QCPPainter* painter, const std::vector<std::vector<QPointF>>& lines);
/// The sign for a value that is not finite.
void drawCross(QCPPainter* painter, const QPointF& at, double halfPixels);

}  // namespace concertina::gui
