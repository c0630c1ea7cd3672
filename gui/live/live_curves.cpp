// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/live/live_curves.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "gui/widgets/palette.h"

namespace concertina::gui {
namespace {

Curve emptyCurve(const QString& name, const QPen& pen) {
    Curve curve;
    curve.name = name;
    curve.pen = pen;
    return curve;
}

void add(Curve& curve, double x, double y) {
    curve.x.push_back(x);
    curve.y.push_back(y);
}

bool isDense(const LayerEpochRow& row) {
    return row.level < 0 || row.effectiveLevel.rfind("dense", 0) == 0;
}

MapRow mapRow(const LayerView& layer, double share) {
    MapRow row{layer.row.layer, layer.shortName, share, {}, {}};
    for (const LayerEpochRow& epoch : layer.epochs) {
        const Decision* decision = layer.decisionAt(epoch.epoch);
        const bool decided = layer.row.compressible && decision != nullptr;
        MapRun run{epoch.epoch, epoch.epoch, isDense(epoch) ? -1 : epoch.level, false, {}};
        if (decided) {
            run.critical = decision->reason == Reason::Critical;
            run.letter = reasonLetter(decision->reason);
        }
        if (!std::isfinite(epoch.norm)) {
            row.nonFinite.push_back(epoch.epoch);
        }
        if (!row.runs.empty()) {
            MapRun& last = row.runs.back();
            if (last.lastEpoch + 1 == epoch.epoch && last.level == run.level &&
                last.critical == run.critical && last.letter == run.letter) {
                last.lastEpoch = epoch.epoch;
                continue;
            }
        }
        row.runs.push_back(run);
    }
    return row;
}

MapRow foldedRow(const std::vector<MapRow>& small, bool open) {
    MapRow folded{
        -1,
        QString("%1 %2 small").arg(open ? QChar(0x25BE) : QChar(0x25B8)).arg(small.size()),
        0,
        small.front().runs,
        {}};
    for (const MapRow& row : small) {
        folded.bytesShare += row.bytesShare;
        folded.nonFinite.insert(folded.nonFinite.end(), row.nonFinite.begin(), row.nonFinite.end());
    }
    std::sort(folded.nonFinite.begin(), folded.nonFinite.end());
    folded.nonFinite.erase(std::unique(folded.nonFinite.begin(), folded.nonFinite.end()),
                           folded.nonFinite.end());
    return folded;
}

}  // namespace

double epochX(int epoch) { return epoch + 1.0; }

double epochStartX(int epoch) { return epoch + 0.5; }

double stepX(std::int64_t step, int stepsPerEpoch) {
    return (double(step) + 0.5) / std::max(1, stepsPerEpoch) + 0.5;
}

QCPRange epochRange(const RunView& view) {
    const int done = view.lastEpoch() + 1;
    const int planned = std::max({view.run().epochsPlanned, done, 1});
    int shown = isActive(view.run().status) ? planned : std::max(done, 1);
    for (const int round : {5, 10, 20, 40, 60, 100, 150, 200, 300, 500, 1000}) {
        if (isActive(view.run().status) && round >= done + 2) {
            shown = std::min(shown, round);
            break;
        }
    }
    return {0.5, shown + 0.5};
}

std::vector<Curve> lossCurves(const RunView& view, const PlotPalette& palette) {
    Curve steps = emptyCurve("training loss, each step", QPen(palette.context, 1));
    for (const StepRow& row : view.steps()) {
        add(steps, stepX(row.step, view.run().stepsPerEpoch), row.loss);
    }
    Curve train = emptyCurve("training loss", QPen(palette.loss, 1.5, Qt::DashLine));
    Curve test = emptyCurve("test loss", QPen(palette.loss, 1.5));
    Curve accuracy = emptyCurve("test accuracy", QPen(palette.accuracy, 2));
    accuracy.rightAxis = true;
    test.points = accuracy.points = true;
    for (const EpochRow& row : view.epochs()) {
        add(train, epochX(row.epoch), row.trainLoss);
        if (row.testLoss) {
            add(test, epochX(row.epoch), *row.testLoss);
        }
        if (row.testAccuracy) {
            add(accuracy, epochX(row.epoch), *row.testAccuracy);
        }
    }
    return {steps, train, test, accuracy};
}

std::vector<Curve> byteCurves(const RunView& view, const PlotPalette& palette, bool cumulative) {
    Curve fp32 = emptyCurve("dense fp32", QPen(palette.dense, 1.2));
    Curve fp16 = emptyCurve("dense fp16", QPen(palette.dense, 1.2, Qt::DashLine));
    Curve sent = emptyCurve("sent", QPen(palette.runs[0], 2));
    sent.points = true;
    double dense = 0, bytes = 0;
    for (const EpochRow& row : view.epochs()) {
        dense = totalsOf({&row, 1}, view.run().ranks).denseFp32Bytes + (cumulative ? dense : 0);
        bytes = sentBytes(row, view.basis()) + (cumulative ? bytes : 0);
        add(fp32, epochX(row.epoch), dense);
        add(fp16, epochX(row.epoch), dense / 2);
        add(sent, epochX(row.epoch), bytes);
    }
    return {fp32, fp16, sent};
}

Series criticalCounts(const RunView& view) {
    Series counts;
    for (const EpochRow& row : view.epochs()) {
        counts.x.push_back(epochX(row.epoch));
        counts.y.push_back(view.criticalLayersAt(row.epoch));
    }
    return counts;
}

QChar reasonLetter(Reason reason) {
    switch (reason) {
        case Reason::Initial:
            return 'i';
        case Reason::LrDecay:
            return 'd';
        case Reason::ZeroNorm:
            return '0';
        case Reason::Manual:
            return 'm';
        case Reason::Critical:
        case Reason::Stable:
        case Reason::NonFinite:  // the cell's cross says it
        case Reason::Fixed:
            break;
    }
    return {};
}

std::vector<MapRow> mapRows(const RunView& view, bool smallOpen) {
    const std::vector<double> shares =
        byteShares(view.layerEpochs(), view.layers().size(), view.basis());
    std::vector<MapRow> rows, small;
    for (const LayerView& layer : view.layers()) {
        const double share = shares[std::size_t(layer.row.layer)];
        (layer.row.compressible ? rows : small).push_back(mapRow(layer, share));
    }
    if (!small.empty()) {
        rows.push_back(foldedRow(small, smallOpen));
        if (smallOpen) {
            rows.insert(rows.end(), small.begin(), small.end());
        }
    }
    return rows;
}

NormSummary normSummary(const RunView& view) {
    NormSummary summary;
    std::vector<double> norms;
    for (const EpochRow& epoch : view.epochs()) {
        norms.clear();
        for (const LayerView& layer : view.layers()) {
            const LayerEpochRow* row = layer.row.compressible ? layer.at(epoch.epoch) : nullptr;
            if (row == nullptr) {
                continue;
            }
            summary.nonFinite += std::isfinite(row->norm) ? 0 : 1;
            summary.zeros += row->norm <= 0 ? 1 : 0;
            if (row->norm > 0) {
                norms.push_back(row->norm);
            }
        }
        if (const auto band = bandOf(norms)) {
            summary.low.x.push_back(epochX(epoch.epoch));
            summary.low.y.push_back(band->low);
            summary.median.y.push_back(band->median);
            summary.high.push_back(band->high);
        }
    }
    summary.median.x = summary.low.x;
    return summary;
}

Series normSeries(const LayerView& layer) {
    Series series;
    for (const LayerEpochRow& row : layer.epochs) {
        series.x.push_back(epochX(row.epoch));
        series.y.push_back(row.norm);
    }
    return series;
}

std::vector<QCPRange> criticalRanges(const RunView& view, int layer) {
    std::vector<QCPRange> ranges;
    for (const EpochInterval& interval : view.criticalEpochs(layer)) {
        ranges.emplace_back(epochStartX(interval.from), epochStartX(interval.to));
    }
    return ranges;
}

std::vector<Stems::Stem> ratioStems(const RunView& view,
                                    const PlotPalette& palette,
                                    std::optional<int> selectedLayer) {
    std::vector<Stems::Stem> background, foreground;
    for (const LayerView& layer : view.layers()) {
        const bool selected = selectedLayer == layer.row.layer;
        for (const Decision& decision : layer.decisions) {
            if (!decision.ratio) {
                continue;
            }
            const bool critical = decision.reason == Reason::Critical;
            const bool plain = selectedLayer && !selected;
            const QColor color = plain      ? palette.context
                                 : critical ? palette.critical
                                 : selected ? palette.text
                                            : palette.muted;
            (selected || (critical && !plain) ? foreground : background)
                .push_back({epochStartX(decision.epoch), *decision.ratio, color, selected});
        }
    }
    background.insert(background.end(), foreground.begin(), foreground.end());
    return background;
}

double ratioTop(const RunView& view) {
    const double eta = view.eta().value_or(0.5);
    double highest = 2 * eta;
    for (const LayerView& layer : view.layers()) {
        for (const Decision& decision : layer.decisions) {
            if (decision.ratio && std::isfinite(*decision.ratio)) {
                highest = std::max(highest, *decision.ratio);
            }
        }
    }
    return 1.12 * std::min(highest, std::max(1.5, 4 * eta));
}

}  // namespace concertina::gui
