// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "app/commands/command.h"
#include "app/commands/overrides.h"
#include "app/interrupt.h"
#include "app/lost_runs.h"
#include "app/run_report.h"

namespace concertina {
namespace {

struct Options {
    std::filesystem::path spec, store;
    std::string id;
    std::vector<std::string> settings;
    bool json = false;
};

int run(const Options& options) {
    RunRequest request{.spec = readRunSpec(options.spec, overridesOf(options.settings)),
                       .id = options.id,
                       .store = options.store,
                       .rankProgram = defaultRankProgram()};
    request.interruptSignal = watchInterrupts();
    markLostRuns(options.store);
    return superviseWithReport(request, options.json).exitCode;
}

}  // namespace

Action setupRun(CLI::App& app) {
    auto options = std::make_shared<Options>();
    app.add_option("SPEC", options->spec, "The run's spec, a TOML file")
        ->required()
        ->type_name("FILE");
    app.add_option("--id", options->id, "Id of the new run [default: a fresh one]")
        ->type_name("ID");
    addSetOption(app, options->settings);
    addStoreOption(app, options->store);
    addJsonFlag(app, options->json);
    app.footer(
        R"(Trains to the end. Ctrl-C stops at the next step, keeps what was recorded and exits with
130; a second one kills at once. With --json one JSON object per line: events start, epoch,
decision, alert, and last summary.

Examples:
  concertina run experiments/smoke/accordion.toml
  concertina run SPEC.toml --set train.epochs=5 --set seed=2
  concertina run SPEC.toml --json | tail -1

Exit codes: 0 done or stopped by `concertina ctl`, 2 bad spec or data, 3 store error,
4 diverged, 5 rank lost, 130 or 143 interrupted.)");
    return [options] { return run(*options); };
}

}  // namespace concertina
