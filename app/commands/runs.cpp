// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/commands/command.h"
#include "app/lost_runs.h"
#include "app/output.h"
#include "app/run_json.h"
#include "app/run_text.h"
#include "core/analysis/totals.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/store/reader.h"
#include "core/store/writer.h"

namespace concertina {
namespace {

struct Options {
    std::filesystem::path store;
    std::string filter;
    bool json = false;
};

using Field = std::string (*)(const RunRow&);
struct NamedField {
    const char* name;
    Field value;
};

constexpr NamedField kFields[] = {
    {"status", [](const RunRow& run) -> std::string { return toText(run.status); }},
    {"name", [](const RunRow& run) { return run.name; }},
    {"study", [](const RunRow& run) { return run.study; }},
    {"variant", [](const RunRow& run) { return run.variant; }},
    {"compressor", [](const RunRow& run) { return run.compressor; }},
    {"policy", [](const RunRow& run) { return run.policy; }},
    {"model", [](const RunRow& run) { return run.model; }},
    {"dataset", [](const RunRow& run) { return run.dataset; }},
    {"seed", [](const RunRow& run) { return std::to_string(run.seed); }},
};

/// KEY=VALUE: that field is the value. Anything else: a part of the name.
std::function<bool(const RunRow&)> parseFilter(const std::string& text) {
    const auto equals = text.find('=');
    if (equals == std::string::npos) {
        return [text](const RunRow& run) { return run.name.find(text) != std::string::npos; };
    }
    const std::string key = text.substr(0, equals);
    const std::string value = text.substr(equals + 1);
    std::vector<std::string> keys;
    for (const NamedField& field : kFields) {
        if (key == field.name) {
            if (key == "status" && !runStatusFromText(value)) {
                throw Error(ErrorKind::Usage, "--filter status=" + excerpt(value) +
                                                  ": allowed are queued, running, paused, done, "
                                                  "stopped, failed, diverged, lost");
            }
            return [value, get = field.value](const RunRow& run) { return get(run) == value; };
        }
        keys.emplace_back(field.name);
    }
    throw Error(ErrorKind::Usage, "--filter " + excerpt(text) +
                                      ": expected a part of a name, or KEY=VALUE with one of " +
                                      join(keys));
}

std::string tableOf(const std::vector<RunRow>& runs) {
    TextTable table({"id", "name", "variant", "seed", "status", "epochs", "accuracy", "sent/rank",
                     "vs fp32", "vs fp16", "mild", "time", "age"});
    for (const RunRow& run : runs) {
        const ByteTotals totals = totalsOf(run);
        table.addRow({run.id, run.name, run.variant.empty() ? "-" : run.variant,
                      std::to_string(run.seed), toText(run.status), epochsText(run),
                      numberText(run.testAccuracy), formatBytes(totals.sentBytes),
                      timesText(totals.ratioToFp32()), timesText(totals.ratioToFp16()),
                      run.mildShare ? fmt::format("{:.0f} %", *run.mildShare * 100) : "-",
                      formatDuration(run.trainSeconds), ageText(run.createdMs, unixNowMs())});
    }
    return table.text();
}

int list(const Options& options) {
    const auto matches = parseFilter(options.filter);
    std::error_code unseen;  // then the reader says why
    if (!std::filesystem::exists(options.store, unseen) && !unseen) {
        if (options.json) {
            printLine("[]");
        } else {
            printMessage("no run yet: the store " + options.store.string() +
                         " does not exist. Start one with\n" +
                         "concertina run experiments/smoke/accordion.toml");
        }
        return 0;
    }
    markLostRuns(options.store);
    std::vector<RunRow> runs = RunReader(options.store).runs();
    std::erase_if(runs, [&](const RunRow& run) { return !matches(run); });
    if (options.json) {
        printLine(runsJson(runs));
    } else if (runs.empty()) {
        printMessage("no run matches in " + options.store.string());
    } else {
        printLine(tableOf(runs));
    }
    return 0;
}

}  // namespace

Action setupRuns(CLI::App& app) {
    auto options = std::make_shared<Options>();
    app.add_option("--filter", options->filter,
                   "A part of the name, or KEY=VALUE (status=running, policy=accordion)")
        ->type_name("EXPR");
    addStoreOption(app, options->store);
    addJsonFlag(app, options->json);
    app.footer(
        R"(Newest first. Runs whose supervisor died are shown as lost. Bytes are gradient bytes
that one rank sent.

Examples:
  concertina runs
  concertina runs --filter status=running
  concertina runs --filter fashion --json)");
    return [options] { return list(*options); };
}

}  // namespace concertina
