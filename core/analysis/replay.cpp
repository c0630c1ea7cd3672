// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/catalogue/check.h"

namespace concertina {
namespace {

/// Rows of a run by epoch and layer, as far as epochs follow one another from 0 without a gap.
class Recording {
 public:
    explicit Recording(const RecordedRun& run) : layers_(run.layers.size()) {
        for (const EpochRow& row : run.epochs) {
            if (row.epoch == static_cast<int>(epochs_.size())) {
                epochs_.push_back(&row);
            }
        }
        rows_.resize(epochs_.size() * layers_);
        for (const LayerEpochRow& row : run.layerEpochs) {
            const bool isKnown = row.epoch >= 0 && row.epoch < epochs() && row.layer >= 0 &&
                                 static_cast<std::size_t>(row.layer) < layers_;
            if (isKnown) {
                rows_[indexOf(row.epoch, static_cast<std::size_t>(row.layer))] = &row;
            }
        }
        const auto gap = std::find(rows_.begin(), rows_.end(), nullptr);
        if (layers_ > 0) {
            epochs_.resize(static_cast<std::size_t>(gap - rows_.begin()) / layers_);
        }
    }

    int epochs() const { return static_cast<int>(epochs_.size()); }
    const EpochRow& epoch(int epoch) const { return *epochs_[static_cast<std::size_t>(epoch)]; }
    const LayerEpochRow& at(int epoch, std::size_t layer) const {
        return *rows_[indexOf(epoch, layer)];
    }
    std::vector<double> norms(int epoch) const {
        std::vector<double> norms;
        for (std::size_t layer = 0; layer < layers_; ++layer) {
            norms.push_back(at(epoch, layer).norm);
        }
        return norms;
    }

 private:
    std::size_t indexOf(int epoch, std::size_t layer) const {
        return static_cast<std::size_t>(epoch) * layers_ + layer;
    }

    std::size_t layers_;
    std::vector<const EpochRow*> epochs_;
    std::vector<const LayerEpochRow*> rows_;  // (epochs, layers)
};

std::vector<Decision> decide(const RunSpec& spec,
                             const RecordedRun& run,
                             const Recording& recording) {
    std::vector<PolicyLayer> layers;
    for (const LayerRow& layer : run.layers) {
        layers.push_back({layer.name, layer.compressible});
    }
    const auto policy = makePolicy(spec, std::move(layers));
    std::vector<Decision> decisions = policy->start();
    for (int epoch = 0; epoch + 1 < recording.epochs(); ++epoch) {
        const std::vector<double> norms = recording.norms(epoch);
        const auto more =
            policy->endOfEpoch({.epoch = epoch,
                                .norms = norms,
                                .learningRate = recording.epoch(epoch).learningRate,
                                .nextLearningRate = recording.epoch(epoch + 1).learningRate});
        decisions.insert(decisions.end(), more.begin(), more.end());
    }
    return decisions;
}

/// Gradient bytes of a layer in an epoch, had it trained at `level`.
double bytesAt(int level,
               const LayerEpochRow& row,
               const Shape& shape,
               std::int64_t steps,
               const RunSpec& spec,
               int ranks) {
    const ByteBasis basis = byteBasis(ranks);
    if (level == row.level) {
        return sentBytes(row, basis);
    }
    const bool isStrongest = level + 1 == static_cast<int>(spec.levels.size());
    if (basis == ByteBasis::Wire && (level == 0 || isStrongest)) {
        return level == 0 ? row.mildestWireBytes : row.strongestWireBytes;
    }
    const CompressorDescriptor* compressor = findCompressor(spec.compress.name);
    CONCERTINA_CHECK(compressor != nullptr, "no compressor '" + spec.compress.name + "'");
    const BytePlan plan =
        planLayer(*compressor, shape, spec.levels[static_cast<std::size_t>(level)],
                  spec.compress.options, ranks);
    return static_cast<double>(steps) * (basis == ByteBasis::Wire
                                             ? plan.wireBytes(ranks)
                                             : static_cast<double>(plan.payloadBytes()));
}

void add(ReplayTotals& totals, const LayerEpochRow& row, int level, double recorded, double sent) {
    totals.levelEpochs += row.level >= 0 ? 1 : 0;
    totals.recordedMildEpochs += row.level == 0 ? 1 : 0;
    totals.replayedMildEpochs += level == 0 ? 1 : 0;
    totals.recordedBytes += recorded;
    totals.replayedBytes += sent;
}

/// Per layer and epoch the decision that holds; nullptr where none does.
std::vector<std::vector<const Decision*>> decisionsByLayer(std::span<const Decision> decisions,
                                                           std::size_t layers,
                                                           int epochs) {
    std::vector<std::vector<const Decision*>> held(
        layers, std::vector<const Decision*>(static_cast<std::size_t>(epochs)));
    for (const HeldDecision& one : heldDecisions(decisions, epochs)) {
        if (one.decision->layer < 0 || static_cast<std::size_t>(one.decision->layer) >= layers) {
            continue;
        }
        auto& row = held[static_cast<std::size_t>(one.decision->layer)];
        for (int epoch = std::max(0, one.epochs.from); epoch < one.epochs.to; ++epoch) {
            row[static_cast<std::size_t>(epoch)] = one.decision;
        }
    }
    return held;
}

/// Joins the epoch to the layer's last difference, or opens a new one.
void addDifference(std::vector<LevelDifference>& differences,
                   int epoch,
                   int recordedLevel,
                   const Decision& decision,
                   const Decision* recorded) {
    if (!differences.empty()) {
        LevelDifference& last = differences.back();
        if (last.layer == decision.layer && last.epochs.to == epoch &&
            last.recordedLevel == recordedLevel && last.replayedLevel == decision.level) {
            ++last.epochs.to;
            return;
        }
    }
    differences.push_back(
        {.layer = decision.layer,
         .epochs = {epoch, epoch + 1},
         .recordedLevel = recordedLevel,
         .replayedLevel = decision.level,
         .recordedReason = recorded != nullptr ? std::optional(recorded->reason) : std::nullopt,
         .decision = decision});
}

}  // namespace

std::optional<int> Replay::firstDifference() const {
    return differences.empty() ? std::nullopt : std::optional(differences.front().epochs.from);
}

std::string whyNotReplayable(const PolicyDescriptor& policy) {
    static constexpr std::array<std::string_view, 2> kRecorded = {"gradient_norm", "learning_rate"};
    std::vector<std::string> missing;
    std::copy_if(policy.signals.begin(), policy.signals.end(), std::back_inserter(missing),
                 [](const std::string& signal) {
                     return std::find(kRecorded.begin(), kRecorded.end(), signal) ==
                            kRecorded.end();
                 });
    return missing.empty() ? ""
                           : fmt::format(
                                 "{} cannot be replayed: it needs {}, which runs do not "
                                 "record",
                                 policy.name, join(missing));
}

RunSpec withAccordion(RunSpec spec, const Settings& changes) {
    const PolicyDescriptor* accordion = findPolicy("accordion");
    CONCERTINA_CHECK(accordion != nullptr, "accordion");
    if (static_cast<int>(spec.levels.size()) < accordion->minLevels) {
        throw Error(ErrorKind::Usage,
                    fmt::format("accordion chooses between at least {} levels, the run's spec "
                                "has {}",
                                accordion->minLevels, spec.levels.size()));
    }
    if (spec.policy.name != accordion->name) {
        spec.policy = {accordion->name, defaultsOf(accordion->parameters)};
    }
    for (const auto& [key, value] : changes) {
        const auto parameter =
            std::find_if(accordion->parameters.begin(), accordion->parameters.end(),
                         [&key = key](const Parameter& known) { return known.name == key; });
        CONCERTINA_CHECK(parameter != accordion->parameters.end(), "accordion has no " + key);
        if (const auto problem = problemOf(*parameter, value)) {
            throw Error(ErrorKind::Usage, "policy." + key + ": " + *problem);
        }
        spec.policy.options[key] = value;
    }
    return spec;
}

Replay replayRun(const RunSpec& spec, const RecordedRun& run) {
    const PolicyDescriptor* policy = findPolicy(spec.policy.name);
    CONCERTINA_CHECK(policy != nullptr, "no policy '" + spec.policy.name + "'");
    if (const std::string why = whyNotReplayable(*policy); !why.empty()) {
        throw Error(ErrorKind::Usage, why);
    }
    const Recording recording(run);
    if (recording.epochs() == 0) {
        throw Error(ErrorKind::Usage, "nothing to replay: the run's first epoch is not recorded");
    }
    Replay replay;
    replay.epochs = recording.epochs();
    replay.basis = byteBasis(run.ranks);
    replay.decisions = decide(spec, run, recording);
    replay.layers.resize(run.layers.size());
    const auto replayed = decisionsByLayer(replay.decisions, run.layers.size(), replay.epochs);
    const auto recorded = decisionsByLayer(run.decisions, run.layers.size(), replay.epochs);
    for (std::size_t layer = 0; layer < run.layers.size(); ++layer) {
        for (int epoch = 0; epoch < replay.epochs; ++epoch) {
            const auto at = static_cast<std::size_t>(epoch);
            const LayerEpochRow& row = recording.at(epoch, layer);
            const Decision* decision = replayed[layer][at];
            const int level = decision != nullptr ? decision->level : row.level;
            const double sent = bytesAt(level, row, run.layers[layer].shape,
                                        recording.epoch(epoch).steps, spec, run.ranks);
            add(replay.layers[layer], row, level, sentBytes(row, replay.basis), sent);
            add(replay.total, row, level, sentBytes(row, replay.basis), sent);
            if (decision != nullptr && level != row.level) {
                addDifference(replay.differences, epoch, row.level, *decision, recorded[layer][at]);
            }
        }
    }
    std::stable_sort(replay.differences.begin(), replay.differences.end(),
                     [](const LevelDifference& a, const LevelDifference& b) {
                         return a.epochs.from < b.epochs.from;
                     });
    return replay;
}

}  // namespace concertina
