// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/commands/command.h"
#include "app/commands/overrides.h"
#include "app/interrupt.h"
#include "app/output.h"
#include "app/run_report.h"
#include "app/study_table.h"
#include "core/base/error.h"
#include "core/launch/launch_checks.h"
#include "core/store/reader.h"
#include "core/store/writer.h"

namespace concertina {
namespace {

constexpr int kSomeFailed = 1;
constexpr int kInterrupted = 128;

struct Options {
    std::filesystem::path study, store;
    std::vector<std::string> settings;
    int jobs = 1;
    bool resume = false, failFast = false, json = false;
};

class Batch {
 public:
    explicit Batch(const Options& options)
        : options_(options),
          study_(readStudySpec(options.study, overridesOf(options.settings))),
          rankProgram_(defaultRankProgram()),
          interruptSignal_(watchInterrupts()) {}

    int run();

 private:
    void refuseWhatCannotRun() const;
    /// The newest run of the trial that `wanted` takes.
    std::optional<RunRow> runOf(const StudySpec::Trial& trial, bool (*wanted)(RunStatus)) const;
    /// Trains one trial; its exit code.
    int train(const StudySpec::Trial& trial);
    int exitCode(int lastExit) const;

    const Options& options_;
    const StudySpec study_;
    const std::filesystem::path rankProgram_;
    const volatile int* interruptSignal_;
    std::vector<TrialResult> results_;
};

/// A study whose third variant cannot start should say so now, not in an hour.
void Batch::refuseWhatCannotRun() const {
    std::vector<std::string> told;
    for (const StudySpec::Trial& trial : study_.trials) {
        for (const std::string& problem : launchProblems(trial.spec, rankProgram_)) {
            if (std::find(told.begin(), told.end(), problem) == told.end()) {
                told.push_back(problem);
            }
        }
    }
    if (!told.empty()) {
        throw Error(ErrorKind::Usage, fmt::format("{}", fmt::join(told, "\n")));
    }
}

bool isFinished(RunStatus status) { return status == RunStatus::Done; }

bool isInterrupted(RunStatus status) {
    return status == RunStatus::Stopped || status == RunStatus::Failed || status == RunStatus::Lost;
}

std::optional<RunRow> Batch::runOf(const StudySpec::Trial& trial, bool (*wanted)(RunStatus)) const {
    const std::string hash = specHash(resolveMachine(trial.spec, rankProgram_));
    for (const RunRow& run : RunReader(options_.store).runs()) {
        if (wanted(run.status) && run.specHash == hash && run.seed == trial.spec.seed &&
            run.variant == trial.variant) {
            return run;
        }
    }
    return std::nullopt;
}

int Batch::train(const StudySpec::Trial& trial) {
    RunRequest request{.spec = trial.spec,
                       .store = options_.store,
                       .rankProgram = rankProgram_,
                       .study = study_.name,
                       .variant = trial.variant,
                       .interruptSignal = interruptSignal_};
    TrialResult result{.variant = trial.variant};
    int exit = 0;
    try {
        const auto begun = options_.resume ? runOf(trial, isInterrupted) : std::nullopt;
        request.id = begun ? begun->id : "";
        const RunOutcome outcome = begun ? resumeWithReport(request, options_.json)
                                         : superviseWithReport(request, options_.json);
        result.run = outcome.run;
        exit = outcome.exitCode;
    } catch (const Error& error) {  // this trial could not start; the next may
        printMessage(error.what());
        result.run.seed = trial.spec.seed;
        result.run.status = RunStatus::Failed;
        result.run.reason = error.what();
        exit = kSomeFailed;
    }
    results_.push_back(result);
    return exit;
}

int Batch::exitCode(int lastExit) const {
    if (lastExit > kInterrupted) {
        return lastExit;
    }
    const bool allDone = std::all_of(results_.begin(), results_.end(), [](const auto& result) {
        return result.run.status == RunStatus::Done;
    });
    return allDone && results_.size() == study_.trials.size() ? 0 : kSomeFailed;
}

int Batch::run() {
    refuseWhatCannotRun();
    RunWriter(options_.store).markLost();
    int lastExit = 0;
    for (std::size_t i = 0; i < study_.trials.size() && lastExit <= kInterrupted; ++i) {
        const StudySpec::Trial& trial = study_.trials[i];
        const std::string title = fmt::format("trial {} of {}: {}, seed {}", i + 1,
                                              study_.trials.size(), trial.variant, trial.spec.seed);
        if (const auto run = runOf(trial, isFinished)) {
            printMessage(title + ": skipped, finished as run " + run->id);
            results_.push_back({trial.variant, *run, true});
            continue;
        }
        printMessage(title);
        lastExit = train(trial);
        if (options_.failFast && results_.back().run.status != RunStatus::Done) {
            printMessage("--fail-fast: the remaining trials were not started");
            break;
        }
    }
    printLine(options_.json ? studyJson(study_.name, results_) : "\n" + studyTable(results_));
    return exitCode(lastExit);
}

int batch(const Options& options) {
    if (options.jobs != 1) {
        throw Error(
            ErrorKind::Usage,
            fmt::format("--jobs {}: this version trains one trial after the other (--jobs 1)",
                        options.jobs));
    }
    return Batch(options).run();
}

}  // namespace

Action setupBatch(CLI::App& app) {
    auto options = std::make_shared<Options>();
    app.add_option("STUDY", options->study, "The study, a TOML file")
        ->required()
        ->type_name("FILE");
    app.add_option("--jobs", options->jobs, "Trials at a time; 1 in this version")->type_name("N");
    app.add_flag(
        "--resume", options->resume,
        "Go on with interrupted trials from their latest checkpoint instead of training them anew");
    app.add_flag("--fail-fast", options->failFast, "Stop at the first trial that does not finish");
    addSetOption(app, options->settings);
    addStoreOption(app, options->store);
    addJsonFlag(app, options->json);
    app.footer(
        R"(Trains every variant with every seed and goes on after a failure. A trial is skipped
when the store has a finished run of the same configuration, seed and variant; with --resume one
that was stopped, failed or was lost goes on where it stood. Ends with one table
of the variants: mean ± standard deviation over seeds.

Examples:
  concertina batch experiments/first/study.toml
  concertina batch STUDY.toml --fail-fast --json

Exit codes: 0 all done, 1 some trials failed or were stopped, 2 bad study, 3 store error,
130 or 143 interrupted.)");
    return [options] { return batch(*options); };
}

}  // namespace concertina
