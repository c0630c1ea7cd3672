// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/plots/scale_ticker.h"

#include <cmath>

#include "gui/widgets/format.h"

namespace concertina::gui {
namespace {

/// Mantissas 1, or 1-2-5, of all decades in the range; every n-th decade where there are many.
QVector<double> decadeTicks(const QCPRange& range, const QVector<double>& mantissas, int every) {
    QVector<double> ticks;
    const int first = int(std::floor(std::log10(range.lower)));
    const int last = int(std::ceil(std::log10(range.upper)));
    for (int decade = first; decade <= last; ++decade) {
        if (decade % every != 0) {
            continue;
        }
        for (const double mantissa : mantissas) {
            const double tick = mantissa * std::pow(10.0, decade);
            if (tick >= range.lower && tick <= range.upper) {
                ticks.push_back(tick);
            }
        }
    }
    return ticks;
}

}  // namespace

ScaleTicker::ScaleTicker(TickUnit unit, bool logarithmic, int count)
    : unit_(unit), logarithmic_(logarithmic) {
    setTickCount(count);
}

QVector<double> ScaleTicker::createTickVector(double tickStep, const QCPRange& range) {
    const double decades = range.lower > 0 ? std::log10(range.upper / range.lower) : 0;
    if (!logarithmic_ || decades <= 0) {
        return QCPAxisTicker::createTickVector(tickStep, range);
    }
    if (decades >= tickCount() - 1) {
        return decadeTicks(range, {1}, std::max(1, int(std::ceil(decades / tickCount()))));
    }
    if (decades >= 2) {
        return decadeTicks(range, {1}, 1);
    }
    if (decades >= 0.8) {
        return decadeTicks(range, decades > 1.3 ? QVector<double>{1, 3} : QVector<double>{1, 2, 5},
                           1);
    }
    return QCPAxisTicker::createTickVector(tickStep, range);
}

QVector<double> ScaleTicker::createSubTickVector(int, const QVector<double>&) { return {}; }

QString ScaleTicker::getTickLabel(double tick, const QLocale&, QChar, int) {
    switch (unit_) {
        case TickUnit::Bytes:
            return bytesText(tick).replace(".0 ", " ");
        case TickUnit::Percent:
            return QString::number(tick * 100, 'g', 4) + QChar(0x202F) + '%';
        case TickUnit::Number:
            break;
    }
    return QString::number(std::abs(tick) < 1e-12 && !logarithmic_ ? 0.0 : tick, 'g', 4);
}

double EpochTicker::getTickStep(const QCPRange& range) {
    return std::max(1.0, std::round(cleanMantissa(range.size() / (tickCount() + 1e-10))));
}

void setScale(QCPAxis* axis, TickUnit unit, bool logarithmic) {
    axis->setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    axis->setTicker(QSharedPointer<QCPAxisTicker>(new ScaleTicker(unit, logarithmic)));
}

}  // namespace concertina::gui
