// SPDX-License-Identifier: Apache-2.0
// A rank without torch, for tests of the supervisor and the command line: same arguments, same
// board, same exit codes. It "trains" 4 steps an epoch; a collective is a barrier over the board.
// $FAKE_RANK says what goes wrong, a list of RANK:ACTION@STEP: kill, segv, stop (SIGSTOP), stall
// (never enters the collective), exit2, exit3, exit4, exit77. "quiet" in the list: peers of a dead
// rank wait for ever instead of failing as Gloo does. $FAKE_RANK_STEP_MS slows it,
// $FAKE_RANK_PATIENCE_MS is how long it waits for the store at its end.
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <thread>

#include "core/base/error.h"
#include "core/launch/rank_board.h"
#include "core/spec/run_spec.h"
#include "core/store/recorder.h"

namespace concertina {
namespace {

constexpr int kStepsPerEpoch = 4;
constexpr double kDying =
    -1;  // loss of a rank that is about to end itself: how its peers learn of it

struct Arguments {
    std::string run, store, spec, rendezvous, resumeFrom;
    int rank = 0, world = 1, boardFd = -1;
    bool probe = false;
};

struct Plan {
    std::string action;
    std::int64_t step = -1;
    bool quiet = false;
};

Plan planFor(int rank) {
    Plan plan;
    const char* text = std::getenv("FAKE_RANK");
    std::istringstream items(text == nullptr ? "" : text);
    for (std::string item; std::getline(items, item, ',');) {
        plan.quiet = plan.quiet || item == "quiet";
        const auto colon = item.find(':');
        const auto at = item.find('@');
        if (colon != std::string::npos && std::stoi(item.substr(0, colon)) == rank) {
            plan.action = item.substr(colon + 1, at - colon - 1);
            plan.step = std::stoll(item.substr(at + 1));
        }
    }
    return plan;
}

int numberFrom(const char* variable, int otherwise) {
    const char* text = std::getenv(variable);
    return text == nullptr ? otherwise : std::atoi(text);
}

class FakeRank {
 public:
    explicit FakeRank(const Arguments& arguments)
        : arguments_(arguments),
          board_(RankBoard::open(arguments.boardFd)),
          plan_(planFor(arguments.rank)) {}

    int run();

 private:
    RankSlot& slot() { return board_.rank(arguments_.rank); }
    void misbehave();
    bool collective();
    bool step();
    void recordStart();
    void recordEpoch(int epoch);
    Decision decision(int epoch, int layer, Reason reason) const;

    const Arguments arguments_;
    RankBoard board_;
    const Plan plan_;
    int epochs_ = 0;
    std::int64_t steps_ = 0;
    bool stop_ = false, stopAfterEpoch_ = false;
    std::unique_ptr<Recorder> recorder_;
};

void FakeRank::misbehave() {
    std::cerr << "about to " << plan_.action << std::endl;
    slot().loss = plan_.action == "stall" || plan_.action == "stop" ? 1 : kDying;
    if (plan_.action == "kill") {
        ::raise(SIGKILL);
    } else if (plan_.action == "segv") {
        ::signal(SIGSEGV, SIG_DFL);
        ::raise(SIGSEGV);
    } else if (plan_.action == "stop") {
        ::raise(SIGSTOP);
    } else if (plan_.action == "stall") {
        for (;;) {
            std::this_thread::sleep_for(std::chrono::seconds(1));
        }
    } else {
        recorder_.reset();
        std::_Exit(std::stoi(plan_.action.substr(4)));
    }
}

/// False when a peer died.
bool FakeRank::collective() {
    const std::int64_t mine = ++slot().collectivesEntered;
    for (int other = 0; other < arguments_.world;) {
        if (board_.rank(other).collectivesEntered.load() >= mine) {
            ++other;
            continue;
        }
        // Ranks may read a request one step apart (real ones agree on it): who waits for one that
        // left, leaves too.
        if (board_.rank(other).phase.load() >= RankPhase::Finishing) {
            stop_ = true;
            break;
        }
        if (board_.rank(other).loss.load() == kDying && !plan_.quiet) {
            std::cerr << "Connection closed by peer" << std::endl;
            return false;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ++slot().collectivesFinished;
    return true;
}

bool FakeRank::step() {
    if (steps_ == plan_.step) {
        misbehave();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(numberFrom("FAKE_RANK_STEP_MS", 2)));
    if (!collective()) {
        return false;
    }
    const Command command = board_->command.load();
    stop_ = stop_ || command == Command::Stop;
    stopAfterEpoch_ = stopAfterEpoch_ || command == Command::StopAfterEpoch;
    ++steps_;
    slot().wireBytes += 100;
    slot().denseWireBytes += 1000;
    slot().loss = 1.0 / static_cast<double>(steps_);
    slot().step = steps_;
    slot().beatNs = steadyNowNs();
    while (board_->command.load() == Command::Pause) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
}

Decision FakeRank::decision(int epoch, int layer, Reason reason) const {
    Decision decision;
    decision.epoch = epoch;
    decision.layer = layer;
    decision.level = reason == Reason::Stable ? 1 : 0;
    decision.reason = reason;
    return decision;
}

void FakeRank::recordStart() {
    recorder_ = std::make_unique<Recorder>(arguments_.store, arguments_.run);
    recorder_->layers({{0, "fc.weight", {8, 4}, true}, {1, "fc.bias", {8}, false}});
    recorder_->decisions({decision(0, 0, Reason::Initial)});
}

void FakeRank::recordEpoch(int epoch) {
    EpochRow row;
    row.epoch = epoch;
    row.trainLoss = 1.0 / (epoch + 1);
    row.testAccuracy = 0.5 + 0.25 * (epoch + 1) / epochs_;
    row.testLoss = 0.5;
    row.learningRate = 0.1;
    row.epochSeconds = 1;
    row.trainSeconds = epoch + 1;
    row.steps = kStepsPerEpoch;
    row.wireBytes = row.payloadBytes = 100 * kStepsPerEpoch;
    row.denseFp32WireBytes = row.denseFp32PayloadBytes = 1000 * kStepsPerEpoch;
    LayerEpochRow layer;
    layer.epoch = epoch;
    layer.layer = 0;
    layer.norm = 1;
    layer.level = epoch % 2;
    layer.effectiveLevel = "rank 1";
    layer.wireBytes = layer.payloadBytes = row.wireBytes;
    layer.denseFp32WireBytes = row.denseFp32WireBytes;
    recorder_->epoch(row, {layer});
    if (epoch + 1 < epochs_) {
        recorder_->decisions(
            {decision(epoch + 1, 0, epoch % 2 == 0 ? Reason::Stable : Reason::Critical)});
    }
}

int FakeRank::run() {
    std::ifstream file(arguments_.spec);
    const RunSpec spec = runSpecFromJson({std::istreambuf_iterator<char>(file), {}});
    epochs_ = static_cast<int>(integerOf(spec.train, "epochs"));
    std::cout << "threads " << std::getenv("OMP_NUM_THREADS") << std::endl;
    board_->stepsPerEpoch = kStepsPerEpoch;
    slot().phase = RankPhase::Training;
    if (arguments_.rank == 0) {
        recordStart();
    }
    int epoch = 0;
    for (; epoch < epochs_ && !stop_ && !stopAfterEpoch_; ++epoch) {
        slot().epoch = epoch;
        for (int i = 0; i < kStepsPerEpoch && !stop_; ++i) {
            if (!step()) {
                return 5;
            }
            if (recorder_) {
                recorder_->step({steps_ - 1, epoch, 1.0 / static_cast<double>(steps_),
                                 0.25 * static_cast<double>(steps_)});
            }
        }
        if (recorder_ && !stop_) {
            recordEpoch(epoch);
        }
    }
    slot().phase = RankPhase::Finishing;
    if (recorder_) {
        recorder_->finish({"cafe", stop_ || stopAfterEpoch_, false, ""});
        recorder_->close(std::chrono::milliseconds(numberFrom("FAKE_RANK_PATIENCE_MS", 10'000)));
    }
    slot().phase = RankPhase::Done;
    return 0;
}

int fakeRankMain(int argc, char** argv) {
    Arguments arguments;
    CLI::App app{"a rank for tests"};
    app.add_flag("--probe", arguments.probe);
    app.add_option("--run", arguments.run);
    app.add_option("--store", arguments.store);
    app.add_option("--spec", arguments.spec);
    app.add_option("--rank", arguments.rank);
    app.add_option("--world", arguments.world);
    app.add_option("--board-fd", arguments.boardFd);
    app.add_option("--rendezvous", arguments.rendezvous);
    app.add_option("--resume-from", arguments.resumeFrom);  // it has nothing to go on with
    CLI11_PARSE(app, argc, argv);
    if (arguments.probe) {
        std::cout
            << R"({"torch": "0.0-fake", "cuda_built": false, "gpus": 0, "backends": ["gloo"]})"
            << std::endl;
        return 0;
    }
    return FakeRank(arguments).run();
}

}  // namespace
}  // namespace concertina

int main(int argc, char** argv) {
    try {
        return concertina::fakeRankMain(argc, argv);
    } catch (const concertina::Error& error) {
        std::cerr << error.what() << std::endl;
        return error.kind() == concertina::ErrorKind::Store ? 3 : 2;
    }
}
