// SPDX-License-Identifier: Apache-2.0
// Rows of the store as one line of JSON each, for `--json` (design.md §6). Numbers that are not
// finite are null. Pure.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/analysis/replay.h"
#include "core/store/reader.h"

namespace concertina {

std::string startJson(const RunRow& run);
std::string epochJson(const std::string& runId, const EpochRow& row);
std::string alertJson(const std::string& runId, const EventRow& event);

/// One array; an object per run.
std::string runsJson(std::span<const RunRow> runs);
/// As runsJson, each with `difference` of accuracy, loss, bytes and seconds to `baseline`.
std::string compareJson(std::span<const RunRow> runs, const RunRow& baseline);
/// The run with everything the store has of it but its steps.
std::string showJson(RunReader& reader, const RunRow& run);
/// What a replay with `spec.policy` gave; epochs count from 0.
std::string replayJson(const RunRow& run,
                       const RunSpec& spec,
                       std::span<const LayerRow> layers,
                       const Replay& replay);

}  // namespace concertina
