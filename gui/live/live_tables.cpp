// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/live/live_curves.h"

namespace concertina::gui {
namespace {

QVariant optionalCell(const std::optional<double>& value) {
    return value ? QVariant(*value) : QVariant();
}

/// Shown from 1, as on the axis; nothing for "none".
QVariant epochCell(int epoch) { return epoch >= 0 ? QVariant(epoch + 1) : QVariant(); }

}  // namespace

DataTable layerTable(const RunView& view) {
    DataTable table{"Levels and norms",
                    {"epoch", "layer", "level", "reason", "gradient norm", "payload [bytes]",
                     "wire [bytes]", "dense fp32 wire [bytes]"},
                    {}};
    for (const LayerView& layer : view.layers()) {
        const QString name = QString::fromStdString(layer.row.name);
        for (const LayerEpochRow& row : layer.epochs) {
            const Decision* decision = layer.decisionAt(row.epoch);
            table.rows.push_back(
                {epochCell(row.epoch), name, QString::fromStdString(row.effectiveLevel),
                 decision ? QVariant(toText(decision->reason)) : QVariant(), row.norm,
                 row.payloadBytes, row.wireBytes, row.denseFp32WireBytes});
        }
    }
    return table;
}

DataTable decisionTable(const RunView& view) {
    DataTable table{"Decisions",
                    {"first epoch", "layer", "level", "reason", "change ratio", "eta", "norm",
                     "of epoch", "previous norm", "of epoch"},
                    {}};
    for (const LayerView& layer : view.layers()) {
        for (const Decision& decision : layer.decisions) {
            table.rows.push_back(
                {epochCell(decision.epoch), QString::fromStdString(layer.row.name),
                 view.levelNames().value(decision.level), QString(toText(decision.reason)),
                 optionalCell(decision.ratio), optionalCell(decision.eta),
                 optionalCell(decision.norm), epochCell(decision.normEpoch),
                 optionalCell(decision.previousNorm), epochCell(decision.previousEpoch)});
        }
    }
    return table;
}

DataTable criticalTable(const RunView& view) {
    DataTable table{"Critical layers", {"epoch", "critical layers", "of"}, {}};
    for (const EpochRow& row : view.epochs()) {
        table.rows.push_back(
            {epochCell(row.epoch), view.criticalLayersAt(row.epoch), view.compressibleLayers()});
    }
    return table;
}

}  // namespace concertina::gui
