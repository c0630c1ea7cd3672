// SPDX-License-Identifier: Apache-2.0
#include "app/commands/command.h"
#include "core/store/writer.h"

namespace concertina {

Action setupRun(CLI::App& app);
Action setupResume(CLI::App& app);
Action setupBatch(CLI::App& app);
Action setupCtl(CLI::App& app);
Action setupRuns(CLI::App& app);
Action setupShow(CLI::App& app);
Action setupCompare(CLI::App& app);
Action setupReplay(CLI::App& app);
Action setupDescribe(CLI::App& app);
Action setupDoctor(CLI::App& app);

std::span<const Command> commands() {
    static constexpr Command kCommands[] = {
        {"run", "Train one spec and record it", setupRun},
        {"resume", "Go on with an interrupted run from its latest checkpoint", setupResume},
        {"batch", "Train a study: variants times seeds", setupBatch},
        {"ctl", "Stop, pause, continue or checkpoint a run", setupCtl},
        {"runs", "List the runs of the store", setupRuns},
        {"show", "Show one run: result, layers, decisions, events", setupShow},
        {"compare", "Final values of several runs, with differences", setupCompare},
        {"replay", "Decide again over a run's recorded norms, with another eta", setupReplay},
        {"describe", "What exists: compressors, policies, models, data sets, metrics",
         setupDescribe},
        {"doctor", "Check this machine and say what to do", setupDoctor},
    };
    return kCommands;
}

void addStoreOption(CLI::App& app, std::filesystem::path& store) {
    app.add_option("--store", store,
                   "The run store [default: $CONCERTINA_STORE, else concertina/runs.sqlite in the "
                   "user's data folder]")
        ->type_name("FILE");
    // Not before it is asked for: without HOME there is no default, and no need of one.
    app.callback([&store] { store = store.empty() ? defaultStorePath() : store; });
}

void addJsonFlag(CLI::App& app, bool& json) {
    app.add_flag("--json", json, "JSON on stdout instead of text");
}

}  // namespace concertina
