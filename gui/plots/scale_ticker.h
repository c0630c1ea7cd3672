// SPDX-License-Identifier: GPL-3.0-or-later
// ScaleTicker: ticks of value axes, linear or logarithmic, labelled as numbers, bytes (SI) or
// percent. QCustomPlot's own logarithmic ticker leaves an axis of less than a decade without a
// label; this one goes from decades over 1-2-5 to linear steps. EpochTicker: whole epochs only.
#pragma once
#include "gui/plots/custom_plot.h"

namespace concertina::gui {

enum class TickUnit { Number, Bytes, Percent };

class ScaleTicker : public QCPAxisTicker {
 public:
    explicit ScaleTicker(TickUnit unit, bool logarithmic, int count = 4);

 protected:
    QVector<double> createTickVector(double tickStep, const QCPRange& range) override;
    QVector<double> createSubTickVector(int count, const QVector<double>& ticks) override;
    QString getTickLabel(double tick, const QLocale&, QChar, int) override;

 private:
    TickUnit unit_;
    bool logarithmic_;
};

class EpochTicker : public QCPAxisTicker {
 public:
    EpochTicker() { setTickCount(9); }

 protected:
    double getTickStep(const QCPRange& range) override;
    int getSubTickCount(double) override { return 0; }
};

/// Puts the ticker and the scale on the axis.
void setScale(QCPAxis* axis, TickUnit unit, bool logarithmic);

}  // namespace concertina::gui
