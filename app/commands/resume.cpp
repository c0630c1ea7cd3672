// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "app/commands/command.h"
#include "app/interrupt.h"
#include "app/lost_runs.h"
#include "app/run_report.h"

namespace concertina {
namespace {

struct Options {
    std::string run;
    std::filesystem::path store;
    bool json = false;
};

int resume(const Options& options) {
    RunRequest request{
        .spec = {}, .id = options.run, .store = options.store, .rankProgram = defaultRankProgram()};
    request.interruptSignal = watchInterrupts();
    markLostRuns(options.store);
    return resumeWithReport(request, options.json).exitCode;
}

}  // namespace

Action setupResume(CLI::App& app) {
    auto options = std::make_shared<Options>();
    app.add_option("RUN", options->run,
                   "Id, unique prefix of an id, or name (the newest of that name)")
        ->required();
    addStoreOption(app, options->store);
    addJsonFlag(app, options->json);
    app.footer(
        R"(Goes on with a run that was stopped, failed or was lost, from its latest whole
checkpoint, and ends with the same weights, decisions and bytes as if nothing had happened. A run
without a checkpoint begins anew. What was recorded behind the checkpoint is superseded: it is
recorded again.

Examples:
  concertina resume accordion
  concertina resume 0mfa --json | tail -1

Exit codes: as `concertina run`; 2 also for a run that is done or active, and where no checkpoint
can be used.)");
    return [options] { return resume(*options); };
}

}  // namespace concertina
