// SPDX-License-Identifier: Apache-2.0
// The table at the end of a batch: one row per variant, mean and spread over its seeds. Pure.
#pragma once
#include <span>
#include <string>

#include "core/store/records.h"

namespace concertina {

/// One trial of a study and the run that stands for it.
struct TrialResult {
    std::string variant;
    RunRow run{};
    bool skipped = false;  // was finished before
};

/// Variants in the order of their first trial: accuracy, bytes per rank, ratio to dense fp32, mild
/// share, time; with several seeds "mean ± spread". Only runs that are done count; the last column
/// says how many of how many.
std::string studyTable(std::span<const TrialResult> results);
/// The same as one JSON object: {"event": "table", "study": ..., "rows": [...]}.
std::string studyJson(const std::string& study, std::span<const TrialResult> results);

}  // namespace concertina
