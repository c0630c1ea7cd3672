// SPDX-License-Identifier: GPL-3.0-or-later
// PanelHeader: the line above an axis rectangle. Left the title and the question the plot answers,
// right the legend with the values at the cursor, so that a legend never covers data. Lives on its
// own buffered layer: a cursor move repaints headers without the curves. GUI thread.
#pragma once
#include "gui/plots/custom_plot.h"

namespace concertina::gui {

struct PlotPalette;

/// How an entry's swatch looks.
enum class Swatch { Line, Area, Cap, Cross, Stem, None };

struct LegendEntry {
    QString name;
    QPen pen;
    Swatch swatch = Swatch::Line;
    QString value{};  // at the cursor; empty: none
};

class PanelHeader : public QCPLayoutElement {
 public:
    static constexpr const char* kLayer = "headers";

    PanelHeader(QCustomPlot* plot, QString title, QString question);
    void setTitle(const QString& title) { title_ = title; }
    void setQuestion(const QString& question) { question_ = question; }
    const QString& title() const { return title_; }
    const QString& question() const { return question_; }
    void setLegend(std::vector<LegendEntry> entries) { entries_ = std::move(entries); }
    const std::vector<LegendEntry>& legend() const { return entries_; }
    void setColors(const PlotPalette& palette);

 protected:
    void draw(QCPPainter* painter) override;

 private:
    double drawLegend(QCPPainter* painter, const QRectF& area) const;
    void drawSwatch(QCPPainter* painter, const LegendEntry& entry, const QRectF& area) const;
    QFont font(bool bold) const;

    QString title_, question_;
    std::vector<LegendEntry> entries_;
    const PlotPalette* palette_;
};

}  // namespace concertina::gui
