// SPDX-License-Identifier: Apache-2.0
// The summary of a run: what `run --json` prints as its last line, and where `show`, `compare` and
// the workbench take the same numbers from. Pure functions, any thread.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/store/records.h"

namespace concertina {

struct RunSummary {
    std::string id, name;
    RunStatus status = RunStatus::Queued;
    std::string reason;
    int epochs = 0;                                                  // done
    std::optional<double> testAccuracy, testLoss;                    // of the last evaluated epoch
    std::optional<double> testPerplexity;                            // of language models
    double wireBytes = 0, payloadBytes = 0, denseFp32WireBytes = 0;  // one rank, gradients only
    double decisionWireBytes = 0;
    std::optional<double> ratio;  // dense fp32 wire / wire; absent with one rank
    std::optional<double> mildShare;
    struct NamedDecision {
        Decision decision;
        std::string layer;
    };
    std::vector<NamedDecision> decisions;
    std::string weightsHash;
    double trainSeconds = 0;
    int ranks = 1;
    std::string device, backend;
};

/// exp(test loss) of a run on text; nothing of others.
std::optional<double> testPerplexity(const RunRow& run);

RunSummary summarize(const RunRow& run,
                     std::span<const LayerRow> layers,
                     std::span<const Decision> decisions);

/// One line: {"event": "summary", "run": ID, ...} with the fields of design.md §6. Epochs count
/// from 0; `level` is the index into the spec's levels, 0 the mildest; `layer` is its name. What is
/// not known is null; test_perplexity is there for language models only. JSON has no NaN and no
/// infinity: such a number is null too, and a sibling object "non_finite" names it, {"test_loss":
/// "nan"}; there is none when all numbers are finite.
std::string summaryJson(const RunSummary& summary);

/// One line: {"event": "decision", "run": ID, ...} with the fields of the summary's list.
std::string decisionJson(const std::string& runId, const RunSummary::NamedDecision& decision);

}  // namespace concertina
