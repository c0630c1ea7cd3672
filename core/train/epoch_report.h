// SPDX-License-Identifier: Apache-2.0
// Turns what the pipeline counted in an epoch into rows of the store. Rank 0, training thread.
#pragma once
#include <vector>

#include "core/comm/layer_table.h"
#include "core/store/records.h"

namespace concertina {

std::vector<LayerRow> layerRows(const std::vector<Layer>& layers);

/// One row per layer; `norms` by layer as the policy saw them, `steps` of the epoch.
std::vector<LayerEpochRow> layerEpochRows(const std::vector<Layer>& layers,
                                          const std::vector<double>& norms,
                                          int epoch,
                                          std::int64_t steps,
                                          int worldSize);

/// Fills the epoch's byte columns (payload, wire, dense reference) from its layers' rows.
void addByteTotals(EpochRow& epoch,
                   const std::vector<Layer>& layers,
                   const std::vector<LayerEpochRow>& rows);

/// What one rank would send in a step if all of it travelled as dense fp32.
double denseWireBytesPerStep(const std::vector<Layer>& layers, int worldSize);

}  // namespace concertina
