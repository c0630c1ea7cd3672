// SPDX-License-Identifier: Apache-2.0
// concertina-rank: one rank of one run, started by the supervisor, or, with a spec file as its
// argument, by torchrun, srun or mpirun on several machines; `--probe` prints what this build and
// this machine can do. Exit codes: 0 ended or stopped on request, 2 bad spec or data, 3 store,
// 4 diverged, 5 a peer or collective was lost, 130 or 143 interrupted.
#include <torch/version.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>

#include "app/commands/overrides.h"
#include "app/exit_code.h"
#include "app/outside_rank.h"
#include "core/base/error.h"
#include "core/comm/process_groups.h"
#include "core/train/trainer.h"

namespace concertina {
namespace {

struct RankArguments {
    std::string runId, specFile, store, rendezvous, resumeFrom;
    int rank = 0, world = 1, boardFd = -1;
    bool probe = false;
    OutsideArguments outside;
};

void addOptions(CLI::App& app, RankArguments& arguments) {
    app.add_option("SPEC", arguments.outside.spec,
                   "The run's spec, a TOML file, where an outside launcher starts the ranks")
        ->type_name("FILE");
    addSetOption(app, arguments.outside.settings);
    app.add_flag("--probe", arguments.probe, "Print as JSON what this build can do, then exit");
    app.add_option("--run", arguments.runId, "Run id");
    app.add_option("--spec", arguments.specFile, "Canonical JSON of the run's spec");
    app.add_option("--store", arguments.store, "Run store");
    app.add_option("--rank", arguments.rank, "This rank, from 0");
    app.add_option("--world", arguments.world, "Number of ranks");
    app.add_option("--board-fd", arguments.boardFd, "Descriptor of the supervisor's shared memory");
    app.add_option("--resume-from", arguments.resumeFrom, "Folder of the checkpoint to go on from");
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

int train(const RankArguments& arguments) {
    TrainerSetup setup;
    setup.spec = readSpec(arguments.specFile);
    setup.runId = arguments.runId;
    setup.store = arguments.store;
    setup.rendezvousFile = arguments.rendezvous;
    setup.rank = arguments.rank;
    setup.resumeFrom = arguments.resumeFrom;
    if (arguments.world != integerOf(setup.spec.ranks, "count") || arguments.rank < 0 ||
        arguments.rank >= arguments.world) {
        throw Error(ErrorKind::Usage, "--rank " + std::to_string(arguments.rank) + " --world " +
                                          std::to_string(arguments.world) +
                                          " do not fit the spec's ranks.count");
    }
    useThreads(setup.spec, arguments.world);
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
    CLI::App app{
        "One rank of a Concertina run; started by `concertina run`, or on several machines by a "
        "launcher:\n  torchrun --no-python --nnodes 2 --nproc-per-node 2 --rdzv-endpoint HOST:PORT "
        "concertina-rank SPEC.toml\n  MASTER_ADDR=HOST MASTER_PORT=PORT srun -n 4 concertina-rank "
        "SPEC.toml"};
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
        if (!arguments.outside.spec.empty()) {
            arguments.outside.store = arguments.store;
            return trainOutside(arguments.outside);
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
