// SPDX-License-Identifier: Apache-2.0
// `concertina`: reads the command line, runs one subcommand, turns errors into a sentence and an
// exit code.
#include <algorithm>
#include <exception>
#include <string>
#include <vector>

#include "app/commands/command.h"
#include "app/did_you_mean.h"
#include "app/exit_code.h"
#include "app/output.h"
#include "app/start_up.h"
#include "core/base/text.h"

namespace concertina {
namespace {

constexpr int kUsageExit = 2;
constexpr int kInternalExit = 5;

constexpr const char* kFooter = R"(Examples:
  concertina run experiments/smoke/accordion.toml
  concertina run SPEC.toml --set train.epochs=5 --set policy.eta=0.3 --json
  concertina batch experiments/first/study.toml --resume
  concertina runs --filter status=running
  concertina compare dense accordion --baseline dense
  concertina ctl accordion stop

Exit codes: 0 done, 1 some trials failed, 2 bad usage, spec or data, 3 store error, 4 diverged,
5 rank lost, 130 or 143 interrupted. `concertina COMMAND --help` explains each command.)";

struct Setup {
    CLI::App app{"Data-parallel training with adaptive gradient compression: run, watch, compare.",
                 "concertina"};
    std::vector<std::pair<CLI::App*, Action>> actions;

    Setup() {
        app.set_version_flag("--version", CONCERTINA_VERSION);
        app.footer(kFooter);
        app.require_subcommand(1);
        for (const Command& command : commands()) {
            CLI::App* sub = app.add_subcommand(command.name, command.summary);
            actions.emplace_back(sub, command.setup(*sub));
        }
    }
};

/// CLI11 only says that an argument was not expected; which one was meant is worth a line.
std::string unknownCommand(const std::vector<std::string>& arguments) {
    std::vector<std::string> names;
    for (const Command& command : commands()) {
        names.emplace_back(command.name);
    }
    if (arguments.empty() || arguments[0].empty() || arguments[0][0] == '-' ||
        std::find(names.begin(), names.end(), arguments[0]) != names.end()) {
        return "";
    }
    return "there is no command '" + excerpt(arguments[0]) + "'" + didYouMean(arguments[0], names) +
           " (commands: " + join(names) + ")";
}

std::string sentenceOf(const CLI::ParseError& error,
                       const Setup& setup,
                       const std::vector<std::string>& arguments) {
    const auto used = std::find_if(setup.actions.begin(), setup.actions.end(),
                                   [](const auto& entry) { return entry.first->parsed(); });
    std::string sentence = error.what();
    if (used == setup.actions.end()) {
        return sentence + " (concertina --help lists the commands)";
    }
    std::vector<std::string> known;
    for (const CLI::Option* option : used->first->get_options()) {
        for (const std::string& name : option->get_lnames()) {
            known.push_back("--" + name);
        }
    }
    for (const std::string& argument : arguments) {
        const std::string name = argument.substr(0, argument.find('='));
        if (name.rfind("--", 0) == 0 &&
            std::find(known.begin(), known.end(), name) == known.end()) {
            sentence += didYouMean(name, known);
        }
    }
    return sentence + " (see concertina " + used->first->get_name() + " --help)";
}

int runCommandLine(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (const std::string problem = unknownCommand(arguments); !problem.empty()) {
        printMessage(problem);
        return kUsageExit;
    }
    Setup setup;
    try {
        setup.app.parse(argc, argv);
    } catch (const CLI::Success& help) {  // --help and --version
        return setup.app.exit(help);
    } catch (const CLI::ParseError& error) {
        printMessage(sentenceOf(error, setup, arguments));
        return kUsageExit;
    }
    for (const auto& [sub, action] : setup.actions) {
        if (sub->parsed()) {
            return action();
        }
    }
    return kUsageExit;
}

int guarded(int argc, char** argv) {
    try {
        return runCommandLine(argc, argv);
    } catch (const Error& error) {
        printMessage(error.what());
        return exitCodeOf(error.kind());
    } catch (const std::exception& error) {
        printMessage(std::string("internal error, please report it: ") + error.what());
        return kInternalExit;
    }
}

}  // namespace
}  // namespace concertina

int main(int argc, char** argv) {
    concertina::prepareProcess();
    return concertina::guarded(argc, argv);
}
