// SPDX-License-Identifier: Apache-2.0
// "What happened there": one sentence for a layer and an epoch, shown beside the cursor of the Live
// page and by `concertina show`. Pure functions, any thread.
#pragma once
#include <span>
#include <string>

#include "core/store/records.h"

namespace concertina {

/// Rows of one run, as the reader gave them.
struct RecordedRun {
    std::span<const LayerRow> layers;
    std::span<const EpochRow> epochs;
    std::span<const LayerEpochRow> layerEpochs;
    std::span<const Decision> decisions;
    int ranks = 1;
    int levels = 0;  // in the spec
};

/// For example "conv2.weight, epochs 9–10: mild (rank 4): norm changed 0.62 ≥ 0.5 from epoch 6 to
/// 8; sent 1.2 MB, strong would be 0.3 MB". The epochs are those for which the decision held, as
/// far as they were trained; bytes are summed over them, and called payload with one rank. Epochs
/// are shown from 1. Empty when nothing was recorded for that layer and epoch.
std::string explainEpoch(const RecordedRun& run, int layer, int epoch);

/// "mild", "strong", or "level 2 of 3"; "" when the spec has fewer than two levels.
std::string levelName(int level, int levels);

/// Why a level holds: "norm changed 0.62 ≥ 0.5 from epoch 6 to 8", "every run begins mild", ...
std::string explainReason(const Decision& decision);

}  // namespace concertina
