// SPDX-License-Identifier: Apache-2.0
#include "core/train/epoch_report.h"

namespace concertina {

std::vector<LayerRow> layerRows(const std::vector<Layer>& layers) {
    std::vector<LayerRow> rows;
    for (const Layer& layer : layers) {
        rows.push_back({.layer = static_cast<int>(rows.size()),
                        .name = layer.name,
                        .shape = layer.shape,
                        .compressible = layer.compressible});
    }
    return rows;
}

std::vector<LayerEpochRow> layerEpochRows(const std::vector<Layer>& layers,
                                          const std::vector<double>& norms,
                                          int epoch,
                                          std::int64_t steps,
                                          int worldSize) {
    const auto perEpoch = static_cast<double>(steps);
    std::vector<LayerEpochRow> rows;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const Layer& layer = layers[i];
        LayerEpochRow row;
        row.epoch = epoch;
        row.layer = static_cast<int>(i);
        row.norm = norms[i];
        row.level = layer.compressible ? layer.level : -1;
        row.effectiveLevel = layer.plan().effectiveLevel;
        row.payloadBytes = static_cast<double>(layer.payloadBytes);
        row.wireBytes = layer.wireBytes;
        row.denseFp32WireBytes = densePlan(layer.shape).wireBytes(worldSize) * perEpoch;
        row.strongestWireBytes = layer.plans.back().wireBytes(worldSize) * perEpoch;
        row.mildestWireBytes = layer.plans.front().wireBytes(worldSize) * perEpoch;
        rows.push_back(std::move(row));
    }
    return rows;
}

void addByteTotals(EpochRow& epoch,
                   const std::vector<Layer>& layers,
                   const std::vector<LayerEpochRow>& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        epoch.payloadBytes += rows[i].payloadBytes;
        epoch.wireBytes += rows[i].wireBytes;
        epoch.denseFp32WireBytes += rows[i].denseFp32WireBytes;
        epoch.denseFp32PayloadBytes +=
            static_cast<double>(densePlan(layers[i].shape).payloadBytes() * epoch.steps);
    }
}

double denseWireBytesPerStep(const std::vector<Layer>& layers, int worldSize) {
    double bytes = 0;
    for (const Layer& layer : layers) {
        bytes += densePlan(layer.shape).wireBytes(worldSize);
    }
    return bytes;
}

}  // namespace concertina
