// SPDX-License-Identifier: Apache-2.0
// concertina-rank: one rank of one run, started by the supervisor; `--probe` prints what this build
// and this machine can do. Exit codes: 0 ended or stopped on request, 2 bad spec or data, 3 store,
// 4 diverged, 5 a peer or collective was lost.
#include <ATen/Parallel.h>
#include <torch/version.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <thread>

#include "app/exit_code.h"
#include "core/base/error.h"
#include "core/comm/process_groups.h"
#include "core/train/trainer.h"

namespace concertina {
namespace {

struct RankArguments {
    std::string runId, specFile, store, rendezvous;
    int rank = 0, world = 1, boardFd = -1;
    bool probe = false;
};

void addOptions(CLI::App& app, RankArguments& arguments) {
    app.add_flag("--probe", arguments.probe, "Print as JSON what this build can do, then exit");
    app.add_option("--run", arguments.runId, "Run id");
    app.add_option("--spec", arguments.specFile, "Canonical JSON of the run's spec");
    app.add_option("--store", arguments.store, "Run store");
    app.add_option("--rank", arguments.rank, "This rank, from 0");
    app.add_option("--world", arguments.world, "Number of ranks");
    app.add_option("--board-fd", arguments.boardFd, "Descriptor of the supervisor's shared memory");
    app.add_option("--rendezvous", arguments.rendezvous, "File that no earlier attempt used");
}

void printProbe() {
    std::cout << R"({"torch": ")" << TORCH_VERSION << R"(", "cuda_built": )"
              << (hasNccl() ? "true" : "false") << R"(, "gpus": )" << gpuCount()
              << R"(, "backends": ["gloo")" << (hasNccl() ? R"(, "nccl")" : "") << "]}\n";
}

RunSpec readSpec(const std::string& file) {
    std::ifstream stream(file);
    std::stringstream text;
    text << stream.rdbuf();
    if (!stream) {
        throw Error(ErrorKind::Usage, "cannot read the spec '" + file + "'");
    }
    return runSpecFromJson(text.str());
}

void useThreads(const RunSpec& spec) {
    const auto asked = static_cast<int>(integerOf(spec.ranks, "threads_per_rank"));
    const auto cores = static_cast<int>(std::thread::hardware_concurrency());
    const auto ranks = static_cast<int>(integerOf(spec.ranks, "count"));
    at::set_num_threads(asked > 0 ? asked : std::max(1, cores / ranks));
    at::set_num_interop_threads(1);
}

int train(const RankArguments& arguments) {
    TrainerSetup setup;
    setup.spec = readSpec(arguments.specFile);
    setup.runId = arguments.runId;
    setup.store = arguments.store;
    setup.rendezvousFile = arguments.rendezvous;
    setup.rank = arguments.rank;
    if (arguments.world != integerOf(setup.spec.ranks, "count") || arguments.rank < 0 ||
        arguments.rank >= arguments.world) {
        throw Error(ErrorKind::Usage, "--rank " + std::to_string(arguments.rank) + " --world " +
                                          std::to_string(arguments.world) +
                                          " do not fit the spec's ranks.count");
    }
    useThreads(setup.spec);
    RankBoard board = RankBoard::open(arguments.boardFd);
    Trainer trainer(std::move(setup), board);
    const TrainResult result = trainer.run();
    if (result == TrainResult::Diverged) {
        throw Error(ErrorKind::Diverged, trainer.reason());
    }
    return 0;
}

}  // namespace
}  // namespace concertina

int main(int argc, char** argv) {
    using namespace concertina;
    CLI::App app{"One rank of a Concertina run; started by `concertina run`"};
    RankArguments arguments;
    addOptions(app, arguments);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : exitCodeOf(ErrorKind::Usage);
    }
    try {
        if (arguments.probe) {
            printProbe();
            return 0;
        }
        return train(arguments);
    } catch (const Error& error) {
        std::cerr << "concertina-rank " << arguments.rank << ": " << error.what() << '\n';
        return exitCodeOf(error.kind());
    } catch (const std::exception& error) {
        std::cerr << "concertina-rank " << arguments.rank << ": internal error: " << error.what()
                  << '\n';
        return exitCodeOf(ErrorKind::Machine);
    }
}
