// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "app/commands/command.h"
#include "app/lost_runs.h"
#include "app/output.h"
#include "app/run_json.h"
#include "app/run_text.h"
#include "core/analysis/totals.h"
#include "core/base/units.h"
#include "core/store/reader.h"

namespace concertina {
namespace {

struct Options {
    std::vector<std::string> runs;
    std::string baseline;
    std::filesystem::path store;
    bool json = false;
};

std::string differenceText(std::optional<double> value, std::optional<double> base) {
    return value && base ? fmt::format("{:+.4f}", *value - *base) : "-";
}

/// "0.25x": the run's value as a multiple of the baseline's.
std::string shareText(double value, double base) {
    return base > 0 ? fmt::format("{:.2f}x", value / base) : "-";
}

std::string tableOf(const std::vector<RunRow>& runs, const RunRow& baseline) {
    TextTable table({"run", "id", "status", "epochs", "accuracy", "diff", "loss", "sent/rank",
                     "of base", "vs fp32", "vs fp16", "mild", "time", "of base"});
    const double baseBytes = totalsOf(baseline).sentBytes;
    for (const RunRow& run : runs) {
        const ByteTotals totals = totalsOf(run);
        table.addRow(
            {(run.id == baseline.id ? "* " : "  ") + run.name, run.id, toText(run.status),
             epochsText(run), numberText(run.testAccuracy),
             differenceText(run.testAccuracy, baseline.testAccuracy), numberText(run.testLoss),
             formatBytes(totals.sentBytes), shareText(totals.sentBytes, baseBytes),
             timesText(totals.ratioToFp32()), timesText(totals.ratioToFp16()),
             run.mildShare ? fmt::format("{:.0f} %", *run.mildShare * 100) : "-",
             formatDuration(run.trainSeconds), shareText(run.trainSeconds, baseline.trainSeconds)});
    }
    return table.text() + "\n* baseline; bytes are gradient bytes of one rank";
}

int compare(const Options& options) {
    RunReader reader(options.store);
    markLostRuns(options.store);
    std::vector<RunRow> runs;
    for (const std::string& name : options.runs) {
        runs.push_back(reader.findRun(name));
    }
    const RunRow baseline =
        options.baseline.empty() ? runs.front() : reader.findRun(options.baseline);
    if (std::none_of(runs.begin(), runs.end(),
                     [&](const RunRow& run) { return run.id == baseline.id; })) {
        runs.insert(runs.begin(), baseline);
    }
    printLine(options.json ? compareJson(runs, baseline) : tableOf(runs, baseline));
    return 0;
}

}  // namespace

Action setupCompare(CLI::App& app) {
    auto options = std::make_shared<Options>();
    app.add_option("RUN", options->runs, "Ids, unique prefixes of ids, or names")
        ->required()
        ->type_name("RUN");
    app.add_option("--baseline", options->baseline,
                   "Differences are to this run [default: the first]")
        ->type_name("RUN");
    addStoreOption(app, options->store);
    addJsonFlag(app, options->json);
    app.footer(R"(Examples:
  concertina compare dense mild strong accordion
  concertina compare accordion strong --baseline dense --json)");
    return [options] { return compare(*options); };
}

}  // namespace concertina
