// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/commands/command.h"
#include "app/did_you_mean.h"
#include "app/lost_runs.h"
#include "app/output.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/store/reader.h"
#include "core/store/writer.h"

namespace concertina {
namespace {

struct Options {
    std::string run, verb;
    std::filesystem::path store;
};

const std::vector<std::string> kVerbs{"stop", "stop-after-epoch", "checkpoint", "pause",
                                      "continue"};

int control(const Options& options) {
    if (std::find(kVerbs.begin(), kVerbs.end(), options.verb) == kVerbs.end()) {
        throw Error(ErrorKind::Usage, "a run cannot be told to '" + excerpt(options.verb) + "'" +
                                          didYouMean(options.verb, kVerbs) +
                                          " (allowed: " + join(kVerbs) + ")");
    }
    RunReader reader(options.store);
    markLostRuns(options.store);
    const RunRow run = reader.findRun(options.run);
    if (!isActive(run.status)) {
        throw Error(ErrorKind::Usage,
                    fmt::format("run {} ({}) is {}: only a running or paused run can be told to {}",
                                run.id, run.name, toText(run.status), options.verb));
    }
    if (options.verb == "checkpoint" && run.status == RunStatus::Paused) {
        throw Error(ErrorKind::Usage,
                    fmt::format("run {} ({}) is paused, and a checkpoint is written at the end of "
                                "a step: continue or stop it, which writes one too",
                                run.id, run.name));
    }
    RunWriter(options.store).requestControl(run.id, options.verb);
    printMessage(fmt::format("asked run {} ({}) to {}", run.id, run.name, options.verb));
    return 0;
}

}  // namespace

Action setupCtl(CLI::App& app) {
    auto options = std::make_shared<Options>();
    app.add_option("RUN", options->run,
                   "Id, unique prefix of an id, or name (the newest of that name)")
        ->required();
    app.add_option("VERB", options->verb, join(kVerbs, " | "))->required();
    addStoreOption(app, options->store);
    app.footer(R"(The run acts on it within about a second: all ranks on the same step. `stop` and
`stop-after-epoch` leave a checkpoint, from which `concertina resume` goes on.

Examples:
  concertina ctl accordion stop
  concertina ctl 0mfa pause
  concertina ctl 0mfa continue)");
    return [options] { return control(*options); };
}

}  // namespace concertina
