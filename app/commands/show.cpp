// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "app/commands/command.h"
#include "app/lost_runs.h"
#include "app/output.h"
#include "app/run_json.h"
#include "app/run_text.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/store/reader.h"

namespace concertina {
namespace {

struct Options {
    std::string run;
    std::filesystem::path store;
    bool json = false;
};

std::string headOf(const RunRow& run) {
    return printable(fmt::format(
        "{}\n  {} on {}, {} by {}, {} {} on {}/{}, seed {}\n  spec {}, weights {}\n  log {}",
        resultText(run), run.model, run.dataset, run.compressor, run.policy, run.ranks,
        run.ranks == 1 ? "rank" : "ranks", run.device, run.backend, run.seed, run.specHash,
        run.weightsHash.empty() ? "-" : run.weightsHash.substr(0, 16), run.logFile));
}

/// Each layer over the whole run: what it sent, and how often it was mild.
std::string layersTable(RunReader& reader, const RunRow& run) {
    const std::vector<LayerRow> layers = reader.layers(run.id);
    struct Total {
        double wireBytes = 0, payloadBytes = 0;
        int epochs = 0, mildEpochs = 0;
        std::string level = "-";
    };
    std::vector<Total> totals(layers.size());
    for (const LayerEpochRow& row : reader.layerEpochs(run.id)) {
        if (row.layer < 0 || row.layer >= static_cast<int>(totals.size())) {
            continue;
        }
        Total& total = totals[row.layer];
        total.wireBytes += row.wireBytes;
        total.payloadBytes += row.payloadBytes;
        total.epochs += 1;
        total.mildEpochs += row.level == 0 ? 1 : 0;
        total.level = row.effectiveLevel;
    }
    TextTable table(
        {"layer", "shape", "last level", "mild epochs", run.ranks > 1 ? "sent/rank" : "payload"});
    for (std::size_t i = 0; i < layers.size(); ++i) {
        table.addRow(
            {layers[i].name, fmt::format("{}", fmt::join(layers[i].shape, " x ")), totals[i].level,
             layers[i].compressible ? fmt::format("{}/{}", totals[i].mildEpochs, totals[i].epochs)
                                    : "-",
             formatBytes(run.ranks > 1 ? totals[i].wireBytes : totals[i].payloadBytes)});
    }
    return table.text();
}

std::string decisionsTable(RunReader& reader, const RunRow& run) {
    const std::vector<LayerRow> layers = reader.layers(run.id);
    TextTable table({"from epoch", "layer", "level", "reason", "norm", "previous", "ratio", "eta"});
    for (const Decision& decision : reader.decisions(run.id)) {
        const bool known = decision.layer >= 0 && decision.layer < static_cast<int>(layers.size());
        table.addRow({std::to_string(shownEpoch(decision.epoch)),
                      known ? layers[decision.layer].name : std::to_string(decision.layer),
                      std::to_string(decision.level), toText(decision.reason),
                      numberText(decision.norm), numberText(decision.previousNorm),
                      numberText(decision.ratio, 3), numberText(decision.eta, 3)});
    }
    return table.text();
}

std::string eventsText(RunReader& reader, const RunRow& run) {
    std::string text;
    for (const EventRow& event : reader.events(run.id)) {
        text += "\n  " + event.kind +
                (event.message.empty() ? "" : ": " + excerpt(event.message, 1000));
    }
    return text;
}

int show(const Options& options) {
    RunReader reader(options.store);
    markLostRuns(options.store);
    const RunRow run = reader.findRun(options.run);
    if (options.json) {
        printLine(showJson(reader, run));
        return 0;
    }
    printLine(headOf(run));
    printLine("\n" + layersTable(reader, run));
    printLine("\nDecisions (level 0 is the mildest)\n" + decisionsTable(reader, run));
    if (const std::string events = eventsText(reader, run); !events.empty()) {
        printLine("\nEvents" + events);
    }
    return 0;
}

}  // namespace

Action setupShow(CLI::App& app) {
    auto options = std::make_shared<Options>();
    app.add_option("RUN", options->run,
                   "Id, unique prefix of an id, or name (the newest of that name)")
        ->required();
    addStoreOption(app, options->store);
    addJsonFlag(app, options->json);
    app.footer(R"(Examples:
  concertina show accordion
  concertina show 0mfa --json)");
    return [options] { return show(*options); };
}

}  // namespace concertina
