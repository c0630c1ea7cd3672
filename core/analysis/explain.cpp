// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/analysis/intervals.h"
#include "core/analysis/totals.h"
#include "core/base/units.h"

namespace concertina {
namespace {

/// What a layer sent in some epochs and what other levels would have sent.
struct SentBytes {
    int from = 0, to = 0;  // epochs that were trained, [from, to)
    double sent = 0, strongest = 0, mildest = 0;
    std::string effectiveLevel;  // of the epoch that is asked about
};

std::optional<SentBytes> sentIn(const RecordedRun& run, int layer, EpochInterval held, int epoch) {
    SentBytes bytes;
    bool found = false;
    for (const LayerEpochRow& row : run.layerEpochs) {
        if (row.layer != layer || row.epoch < held.from || row.epoch >= held.to) {
            continue;
        }
        bytes.from = bytes.to == 0 ? row.epoch : std::min(bytes.from, row.epoch);
        bytes.to = std::max(bytes.to, row.epoch + 1);
        bytes.sent += sentBytes(row, byteBasis(run.ranks));
        bytes.strongest += row.strongestWireBytes;
        bytes.mildest += row.mildestWireBytes;
        if (row.epoch == epoch) {
            bytes.effectiveLevel = row.effectiveLevel;
            found = true;
        }
    }
    return found ? std::optional(bytes) : std::nullopt;
}

std::string epochsText(int from, int to) {
    return to - from == 1 ? fmt::format("epoch {}", shownEpoch(from))
                          : fmt::format("epochs {}–{}", shownEpoch(from), shownEpoch(to - 1));
}

/// "mild (rank 4)", or the effective level alone: "dense: not worth it", "rank 2" of a single
/// level.
std::string levelText(int level, int levels, const std::string& effectiveLevel) {
    const std::string name = levelName(level, levels);
    return name.empty() || effectiveLevel.starts_with("dense")
               ? effectiveLevel
               : fmt::format("{} ({})", name, effectiveLevel);
}

/// "sent 1.2 MB, strong would be 0.3 MB". With one rank there are no wire bytes to compare.
std::string bytesText(const SentBytes& bytes, int level, const RecordedRun& run) {
    if (byteBasis(run.ranks) == ByteBasis::Payload) {
        return "payload " + formatBytes(bytes.sent);
    }
    std::string text = "sent " + formatBytes(bytes.sent);
    const bool isStrongest = level == run.levels - 1;
    if (level >= 0 && run.levels >= 2 && !bytes.effectiveLevel.starts_with("dense")) {
        text += isStrongest ? ", mild would be " + formatBytes(bytes.mildest)
                            : ", strong would be " + formatBytes(bytes.strongest);
    }
    return text;
}

const HeldDecision* heldAt(const std::vector<HeldDecision>& held, int layer, int epoch) {
    const auto found = std::find_if(held.begin(), held.end(), [&](const HeldDecision& one) {
        return one.decision->layer == layer && one.epochs.from <= epoch && epoch < one.epochs.to;
    });
    return found == held.end() ? nullptr : &*found;
}

/// "learning rate falls from 0.1 to 0.01", where both epochs are recorded.
std::string decayText(const RecordedRun& run, const Decision& decision) {
    const auto rateOf = [&](int epoch) {
        const auto found = std::find_if(run.epochs.begin(), run.epochs.end(),
                                        [&](const EpochRow& row) { return row.epoch == epoch; });
        return found == run.epochs.end() ? std::optional<double>() : found->learningRate;
    };
    const auto before = rateOf(decision.epoch - 1), after = rateOf(decision.epoch);
    return before && after ? fmt::format("learning rate fell from {} to {}", formatNumber(*before),
                                         formatNumber(*after))
                           : explainReason(decision);
}

std::string changeText(const Decision& decision, const char* sign) {
    if (!decision.ratio || !decision.eta) {
        return toText(decision.reason);
    }
    return fmt::format("norm changed {} {} {} from epoch {} to {}",
                       formatNumber(*decision.ratio, 2), sign, formatNumber(*decision.eta),
                       shownEpoch(decision.previousEpoch), shownEpoch(decision.normEpoch));
}

std::string nonFiniteText(const Decision& decision) {
    const bool previous = decision.previousNorm && !std::isfinite(*decision.previousNorm);
    const double value = previous ? *decision.previousNorm : decision.norm.value_or(NAN);
    return fmt::format("norm was {} in epoch {}, so no change can be measured", formatNumber(value),
                       shownEpoch(previous ? decision.previousEpoch : decision.normEpoch));
}

}  // namespace

std::string levelName(int level, int levels) {
    if (levels < 2 || level < 0) {
        return "";
    }
    if (level == 0) {
        return "mild";
    }
    return level == levels - 1 ? "strong" : fmt::format("level {} of {}", level + 1, levels);
}

std::string explainReason(const Decision& decision) {
    switch (decision.reason) {
        case Reason::Initial:
            return "the run began so, before any norm was known";
        case Reason::Critical:
            return changeText(decision, "≥");
        case Reason::Stable:
            return changeText(decision, "<");
        case Reason::LrDecay:
            return "learning rate fell";
        case Reason::ZeroNorm:
            return decision.previousEpoch < 0
                       ? "norm was 0, so no change can be measured"
                       : fmt::format("norm was 0 in epoch {}, so no change can be measured",
                                     shownEpoch(decision.previousEpoch));
        case Reason::NonFinite:
            return nonFiniteText(decision);
        case Reason::Fixed:
            return decision.ratio
                       ? changeText(decision, "<") + ", but its minimum mild time is not over"
                       : "fixed by the spec";
        case Reason::Manual:
            return "set by hand";
    }
    return toText(decision.reason);
}

std::string explainEpoch(const RecordedRun& run, int layer, int epoch) {
    const auto held = heldDecisions(run.decisions, std::numeric_limits<int>::max());
    const HeldDecision* current = heldAt(held, layer, epoch);
    // Without a decision no level applies: the epoch stands for itself.
    const EpochInterval epochs = current ? current->epochs : EpochInterval{epoch, epoch + 1};
    const auto bytes = sentIn(run, layer, epochs, epoch);
    if (!bytes) {
        return "";
    }
    const int level = current ? current->decision->level : -1;
    std::string why;
    if (current) {
        const Decision& decision = *current->decision;
        why = ": " + (decision.reason == Reason::LrDecay ? decayText(run, decision)
                                                         : explainReason(decision));
    }
    return fmt::format(
        "{}, {}: {}{}; {}", layerName(run.layers, layer), epochsText(bytes->from, bytes->to),
        levelText(level, run.levels, bytes->effectiveLevel), why, bytesText(*bytes, level, run));
}

}  // namespace concertina
