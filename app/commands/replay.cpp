// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "app/commands/command.h"
#include "app/lost_runs.h"
#include "app/output.h"
#include "app/run_json.h"
#include "core/analysis/replay.h"
#include "core/base/units.h"
#include "core/store/reader.h"

namespace concertina {
namespace {

struct Options {
    std::string run;
    std::optional<double> eta;
    std::optional<std::int64_t> interval, minMild;
    std::filesystem::path store;
    bool json = false;

    Settings changes() const {
        Settings changes;
        if (eta) {
            changes["eta"] = *eta;
        }
        if (interval) {
            changes["interval_epochs"] = *interval;
        }
        if (minMild) {
            changes["min_mild_epochs"] = *minMild;
        }
        return changes;
    }
};

std::string headOf(const RunRow& run, const RunSpec& spec, const Replay& replay) {
    const std::string head = fmt::format("run {} ({}), {} of {} epochs replayed with {}: {}",
                                         run.id, run.name, replay.epochs, run.epochsPlanned,
                                         spec.policy.name, toText(spec.policy.options));
    const auto first = replay.firstDifference();
    if (!first) {
        return head + "\n  every layer would have trained at the level it did";
    }
    return fmt::format(
        "{}\n  exact up to epoch {}: nothing was trained again, so from there on "
        "the norms are still those of the run as it was trained",
        head, *first);
}

std::string shareText(int epochs, int of) { return fmt::format("{}/{}", epochs, of); }

std::string layersTable(const std::vector<LayerRow>& layers, const Replay& replay) {
    const char* bytes = replay.basis == ByteBasis::Wire ? "sent/rank" : "payload";
    TextTable table({"layer", "mild epochs", "replayed", bytes, "replayed"});
    const auto add = [&table](const std::string& name, const ReplayTotals& totals) {
        const bool hasLevels = totals.levelEpochs > 0;
        table.addRow({name,
                      hasLevels ? shareText(totals.recordedMildEpochs, totals.levelEpochs) : "-",
                      hasLevels ? shareText(totals.replayedMildEpochs, totals.levelEpochs) : "-",
                      formatBytes(totals.recordedBytes), formatBytes(totals.replayedBytes)});
    };
    for (std::size_t layer = 0; layer < replay.layers.size(); ++layer) {
        add(layers[layer].name, replay.layers[layer]);
    }
    add("all", replay.total);
    return table.text();
}

std::string differencesTable(const std::vector<LayerRow>& layers,
                             const Replay& replay,
                             int levels) {
    TextTable table({"from epoch", "to", "layer", "trained", "why", "replayed", "why"});
    for (const LevelDifference& one : replay.differences) {
        table.addRow({std::to_string(shownEpoch(one.epochs.from)),
                      std::to_string(shownEpoch(one.epochs.to - 1)), layerName(layers, one.layer),
                      levelName(one.recordedLevel, levels),
                      one.recordedReason ? toText(*one.recordedReason) : "-",
                      levelName(one.replayedLevel, levels), explainReason(one.decision)});
    }
    return table.text();
}

int replay(const Options& options) {
    RunReader reader(options.store);
    markLostRuns(options.store);
    const RunRow run = reader.findRun(options.run);
    const RunSpec spec = withAccordion(runSpecFromJson(run.specJson), options.changes());
    const auto layers = reader.layers(run.id);
    const auto epochs = reader.epochs(run.id);
    const auto layerEpochs = reader.layerEpochs(run.id);
    const auto decisions = reader.decisions(run.id);
    const auto levels = static_cast<int>(spec.levels.size());
    const Replay replay =
        replayRun(spec, {layers, epochs, layerEpochs, decisions, run.ranks, levels});
    if (options.json) {
        printLine(replayJson(run, spec, layers, replay));
        return 0;
    }
    printLine(headOf(run, spec, replay));
    printLine("\n" + layersTable(layers, replay));
    if (!replay.differences.empty()) {
        printLine("\nLevels that differ\n" + differencesTable(layers, replay, levels));
    }
    return 0;
}

}  // namespace

Action setupReplay(CLI::App& app) {
    auto options = std::make_shared<Options>();
    app.add_option("RUN", options->run,
                   "Id, unique prefix of an id, or name (the newest of that name)")
        ->required();
    app.add_option("--eta", options->eta, "Another eta [default: the run's, else 0.5]");
    app.add_option("--interval", options->interval,
                   "Epochs between detections [default: the run's, else 10]")
        ->type_name("N");
    app.add_option("--min-mild", options->minMild,
                   "Epochs a layer stays mild at least [default: the run's, else 0]")
        ->type_name("N");
    addStoreOption(app, options->store);
    addJsonFlag(app, options->json);
    app.footer(
        R"(Accordion decides again from the norms and learning rates of the run, whatever policy
it was trained with. Nothing is trained again: after the first level that differs the norms are
still those of the run as it was.

Examples:
  concertina replay accordion --eta 0.3
  concertina replay static-mild --eta 0.5 --interval 2 --json)");
    return [options] { return replay(*options); };
}

}  // namespace concertina
