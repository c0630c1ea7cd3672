// SPDX-License-Identifier: Apache-2.0
#include "tests/support/generated_run.h"
#include "tests/support/compress_choice.h"

#include <cmath>
#include <limits>

#include "core/catalogue/catalogue.h"
#include "core/spec/run_spec.h"

namespace concertina {
namespace {

constexpr int kMild = 0, kStrong = 1;
constexpr double kSecondsPerStep = 0.02;

const std::vector<Settings>& levels() {
    static const std::vector<Settings> levels = {{{"rank", std::int64_t{4}}},
                                                 {{"rank", std::int64_t{1}}}};
    return levels;
}

BytePlan planOf(const LayerRow& layer, int level, int ranks) {
    return planLayer(*findCompressor("powersgd"), layer.shape,
                     levels()[static_cast<std::size_t>(level)],
                     compressorAtDefaults("powersgd").options, ranks);
}

/// After three fifths of the run.
int decayEpoch(int epochs) { return (6 * epochs + 9) / 10; }

/// A valid spec that says what is generated; its model is a stand-in, for none has these layers.
RunSpec specOf(const GeneratedRunOptions& options) {
    RunSpec spec = defaultRunSpec();
    spec.name = options.name;
    spec.seed = options.seed;
    spec.train["epochs"] = std::int64_t{options.epochs};
    spec.train["lr"] = 0.1;
    spec.train["lr_decay_epochs"] = std::vector<std::int64_t>{decayEpoch(options.epochs)};
    spec.ranks["count"] = std::int64_t{options.ranks};
    spec.compress = compressorAtDefaults("powersgd");
    spec.levels = levels();
    if (options.policy == "static") {
        spec.policy = {"static", {{"level", std::int64_t{options.staticLevel}}}};
    } else {
        spec.policy.options["eta"] = options.eta;
        spec.policy.options["interval_epochs"] = std::int64_t{options.intervalEpochs};
    }
    return spec;
}

std::uint64_t mixed(std::uint64_t value) {  // SplitMix64's finalizer
    value += 0x9E3779B97F4A7C15u;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
    return value ^ (value >> 31);
}

/// Convolutions in pairs with a bias after each second one, wider every fifth of the network.
std::vector<LayerRow> makeLayers(int count) {
    std::vector<LayerRow> layers;
    std::int64_t inputs = 3;
    for (int i = 0; i < count; ++i) {
        const std::int64_t outputs = std::int64_t{16} << std::min(4, 5 * i / count);
        const std::string block = "block" + std::to_string(i / 3 + 1);
        if (i == count - 1) {
            layers.push_back({i, "fc.weight", {10, inputs}, true});
        } else if (i % 3 == 2) {
            layers.push_back({i, block + ".bias", {inputs}, false});
        } else {
            const std::string name = block + (i % 3 == 0 ? ".conv1" : ".conv2") + ".weight";
            layers.push_back({i, name, {outputs, inputs, 3, 3}, true});
            inputs = outputs;
        }
    }
    return layers;
}

}  // namespace

GeneratedRun::GeneratedRun(GeneratedRunOptions options)
    : options_(std::move(options)), layers_(makeLayers(options_.layers)) {
    if (options_.id.empty()) {
        options_.id = newRunId();
    }
    const int start = options_.policy == "static" ? options_.staticLevel : kMild;
    for (const LayerRow& layer : layers_) {
        levels_.push_back(layer.compressible ? start : -1);
    }
}

RunRow GeneratedRun::row() const {
    const RunSpec spec = specOf(options_);
    RunRow run;
    run.id = options_.id;
    run.name = spec.name;
    run.specJson = toJson(spec);
    run.specHash = specHash(spec);
    run.seed = spec.seed;
    run.compressor = spec.compress.name;
    run.policy = spec.policy.name;
    run.model = spec.model.name;
    run.dataset = spec.data.name;
    run.ranks = options_.ranks;
    run.epochsPlanned = options_.epochs;
    run.stepsPerEpoch = options_.stepsPerEpoch;
    run.createdMs = unixNowMs();
    run.device = "cpu";
    run.backend = "gloo";
    return run;
}

PointBatch GeneratedRun::beginning() const {
    PointBatch batch;
    batch.layers = layers_;
    const Reason reason = options_.policy == "static" ? Reason::Fixed : Reason::Initial;
    for (const LayerRow& layer : layers_) {
        if (layer.compressible) {
            const int level = levels_[static_cast<std::size_t>(layer.layer)];
            batch.decisions.push_back({0, layer.layer, level, reason, {}, {}, -1, -1, {}, {}});
        }
    }
    return batch;
}

PointBatch GeneratedRun::epoch(int epoch) {
    PointBatch batch;
    batch.steps = stepsOf(epoch);
    batch.layerEpochs = layersOf(epoch);
    batch.epochs.push_back(epochOf(epoch, batch.layerEpochs));
    batch.decisions = decisionsAfter(epoch);
    for (const Decision& decision : batch.decisions) {
        levels_[static_cast<std::size_t>(decision.layer)] = decision.level;
    }
    return batch;
}

FinishRow GeneratedRun::finish() const {
    FinishRow finish;
    finish.weightsHash = std::string(64, 'a');
    return finish;
}

double GeneratedRun::noise(int epoch, int layer) const {
    const std::uint64_t bits =
        mixed(mixed(mixed(options_.seed) + static_cast<std::uint64_t>(epoch)) +
              static_cast<std::uint64_t>(layer));
    return static_cast<double>(bits >> 11) * 0x1p-52 - 1;
}

double GeneratedRun::learningRate(int epoch) const {
    return epoch >= decayEpoch(options_.epochs) ? 0.01 : 0.1;
}

double GeneratedRun::norm(int epoch, int layer) const {
    if (layer == 3 && epoch == options_.epochs / 2) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    if (layer == 4 && epoch == options_.epochs / 4) {
        return std::numeric_limits<double>::infinity();
    }
    if (layer == 6 && epoch * 3 >= options_.epochs) {
        return 0;
    }
    const double fall = std::exp(-epoch / (0.04 * options_.epochs * (1 + layer % 3)));
    const double decayed = learningRate(epoch) < 0.1 ? 0.3 : 1;
    return (1 + layer % 7) * (0.2 + 2 * fall) * decayed * (1 + 0.1 * noise(epoch, layer));
}

std::vector<StepRow> GeneratedRun::stepsOf(int epoch) const {
    std::vector<StepRow> steps;
    for (int i = 0; i < options_.stepsPerEpoch; ++i) {
        const std::int64_t step = std::int64_t{epoch} * options_.stepsPerEpoch + i;
        const double progress =
            static_cast<double>(step) / (options_.epochs * options_.stepsPerEpoch);
        const double loss = 0.3 + 2 * std::exp(-6 * progress) + 0.1 * noise(epoch, 1000 + i);
        steps.push_back({step, epoch, step == 5 ? std::numeric_limits<double>::quiet_NaN() : loss,
                         static_cast<double>(step + 1) * kSecondsPerStep});
    }
    return steps;
}

std::vector<LayerEpochRow> GeneratedRun::layersOf(int epoch) const {
    std::vector<LayerEpochRow> rows;
    const double steps = options_.stepsPerEpoch;
    for (const LayerRow& layer : layers_) {
        const int level = levels_[static_cast<std::size_t>(layer.layer)];
        const BytePlan plan = planOf(layer, std::max(level, 0), options_.ranks);
        const BytePlan dense = densePlan(layer.shape);
        rows.push_back({epoch, layer.layer, norm(epoch, layer.layer), level, plan.effectiveLevel,
                        static_cast<double>(plan.payloadBytes()) * steps,
                        plan.wireBytes(options_.ranks) * steps,
                        dense.wireBytes(options_.ranks) * steps,
                        planOf(layer, kStrong, options_.ranks).wireBytes(options_.ranks) * steps,
                        planOf(layer, kMild, options_.ranks).wireBytes(options_.ranks) * steps});
    }
    return rows;
}

EpochRow GeneratedRun::epochOf(int epoch, const std::vector<LayerEpochRow>& layers) const {
    EpochRow row;
    const double progress = (epoch + 1.0) / options_.epochs;
    row.epoch = epoch;
    row.trainLoss = 0.3 + 2 * std::exp(-6 * progress);
    if (epoch != 1) {
        row.testLoss = row.trainLoss + 0.1;
        row.testAccuracy = 0.9 - 0.7 * std::exp(-5 * progress) + 0.005 * noise(epoch, 999);
    }
    row.learningRate = learningRate(epoch);
    row.steps = options_.stepsPerEpoch;
    row.epochSeconds = options_.stepsPerEpoch * kSecondsPerStep;
    row.trainSeconds = (epoch + 1) * row.epochSeconds;
    for (const LayerEpochRow& layer : layers) {
        row.payloadBytes += layer.payloadBytes;
        row.wireBytes += layer.wireBytes;
        row.denseFp32WireBytes += layer.denseFp32WireBytes;
        row.denseFp32PayloadBytes +=
            4.0 * options_.stepsPerEpoch *
            static_cast<double>(layers_[static_cast<std::size_t>(layer.layer)].elements());
    }
    row.decisionWireBytes = 4.0 * static_cast<double>(layers.size());
    row.weightsHash = std::string(64, "0123456789abcdef"[epoch % 16]);
    return row;
}

Decision GeneratedRun::decide(int epoch, int layer) const {
    Decision decision;
    decision.epoch = epoch + 1;
    decision.layer = layer;
    decision.normEpoch = epoch;
    decision.previousEpoch = epoch - options_.intervalEpochs;
    decision.norm = norm(epoch, layer);
    decision.previousNorm = norm(decision.previousEpoch, layer);
    decision.eta = options_.eta;
    decision.level = kMild;
    if (!std::isfinite(*decision.norm) || !std::isfinite(*decision.previousNorm)) {
        decision.reason = Reason::NonFinite;
        return decision;
    }
    if (*decision.previousNorm == 0) {
        decision.reason = Reason::ZeroNorm;
        return decision;
    }
    decision.ratio = std::abs(*decision.previousNorm - *decision.norm) / *decision.previousNorm;
    const bool critical = *decision.ratio >= options_.eta;
    decision.reason = critical ? Reason::Critical : Reason::Stable;
    decision.level = critical ? kMild : kStrong;
    return decision;
}

std::vector<Decision> GeneratedRun::decisionsAfter(int epoch) const {
    std::vector<Decision> decisions;
    if (options_.policy == "static") {
        return decisions;
    }
    const bool detects = epoch > 0 && epoch % options_.intervalEpochs == 0;
    const bool decays = learningRate(epoch + 1) < learningRate(epoch);
    for (const LayerRow& layer : layers_) {
        if (layer.compressible && detects) {
            decisions.push_back(decide(epoch, layer.layer));
        }
        if (layer.compressible && decays) {
            decisions.push_back(
                {epoch + 1, layer.layer, kMild, Reason::LrDecay, {}, {}, -1, -1, {}, {}});
        }
    }
    return decisions;
}

std::string writeGeneratedRun(RunWriter& writer,
                              const GeneratedRunOptions& options,
                              int epochsWritten) {
    GeneratedRun run(options);
    writer.createRun(run.row());
    writer.setSupervisor(run.id(), thisProcess());
    writer.setStatus(run.id(), RunStatus::Running);
    writer.addPoints(run.id(), run.beginning());
    const int epochs = epochsWritten < 0 ? options.epochs : epochsWritten;
    for (int epoch = 0; epoch < epochs; ++epoch) {
        writer.addPoints(run.id(), run.epoch(epoch));
    }
    if (epochs == options.epochs) {
        writer.finishTraining(run.id(), run.finish());
        writer.setStatus(run.id(), RunStatus::Done, "", 0);
    }
    return run.id();
}

}  // namespace concertina
