// SPDX-License-Identifier: Apache-2.0
#include "app/outside_rank.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <thread>

#include "app/commands/overrides.h"
#include "app/exit_code.h"
#include "app/interrupt.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/launch/launch_checks.h"
#include "core/launch/outside_run.h"
#include "core/store/writer.h"
#include "core/train/trainer.h"

namespace concertina {
namespace {

/// Passes SIGINT and SIGTERM, whichever rank they reach, on to the agreement of the next step.
class InterruptWatch {
 public:
    explicit InterruptWatch(RankBoard& board) : signal_(watchInterrupts()) {
        thread_ = std::thread([this, &board] {
            while (!ending_) {
                if (*signal_ < 0) {
                    std::_Exit(exitCode());  // a second one: at once
                }
                if (*signal_ > 0) {
                    board->command = Command::Stop;
                }
                std::this_thread::sleep_for(std::chrono::milliseconds(50));
            }
        });
    }
    ~InterruptWatch() {
        ending_ = true;
        thread_.join();
    }
    InterruptWatch(const InterruptWatch&) = delete;
    InterruptWatch& operator=(const InterruptWatch&) = delete;
    int exitCode() const { return *signal_ == 0 ? 0 : 128 + std::abs(*signal_); }

 private:
    const volatile int* signal_;
    std::atomic<bool> ending_ = false;
    std::thread thread_;
};

/// The launcher decides how many ranks there are; on several machines nobody can see all GPUs, so
/// `auto` is the CPU.
RunSpec readSpec(const OutsideArguments& arguments, const OutsidePlace& place) {
    Overrides overrides = overridesOf(arguments.settings);
    overrides.emplace_back("ranks.count", std::to_string(place.worldSize));
    RunSpec spec = readRunSpec(arguments.spec, overrides);
    if (textOf(spec.ranks, "device") == "auto") {
        spec.ranks["device"] =
            std::string(textOf(spec.ranks, "backend") == "nccl" ? "cuda" : "cpu");
    }
    if (textOf(spec.ranks, "backend") == "auto") {
        spec.ranks["backend"] =
            std::string(textOf(spec.ranks, "device") == "cuda" ? "nccl" : "gloo");
    }
    const DatasetDescriptor* data = findDataset(spec.data.name);
    if (const auto problems = data->problems(spec.data.options); !problems.empty()) {
        throw Error(ErrorKind::Usage, join(problems, "\n"));
    }
    return spec;
}

struct Ending {
    RunStatus status = RunStatus::Failed;
    std::string reason;
    int exitCode = 0;
};

Ending trainToTheEnd(TrainerSetup setup, RankBoard& board) {
    try {
        Trainer trainer(std::move(setup), board);
        switch (trainer.run()) {
            case TrainResult::Finished:
                return {RunStatus::Done, "", 0};
            case TrainResult::Stopped:
                return {RunStatus::Stopped, trainer.reason(), 0};
            case TrainResult::Diverged:
                break;
        }
        return {RunStatus::Diverged, trainer.reason(), exitCodeOf(ErrorKind::Diverged)};
    } catch (const Error& error) {
        return {RunStatus::Failed, error.what(), exitCodeOf(error.kind())};
    } catch (const std::exception& error) {
        return {RunStatus::Failed, std::string("internal error: ") + error.what(),
                exitCodeOf(ErrorKind::Machine)};
    }
}

}  // namespace

int trainOutside(const OutsideArguments& arguments) {
    const OutsidePlace place = outsidePlace([](const char* name) { return std::getenv(name); });
    RunRequest request;
    request.spec = readSpec(arguments, place);
    RankBoard board = RankBoard::priv();
    InterruptWatch interrupts(board);
    useThreads(request.spec, place.worldSize);
    TrainerSetup setup;
    setup.spec = request.spec;
    setup.rank = place.rank;
    setup.outside = place;
    std::unique_ptr<OutsideRun> keeper;
    if (place.rank == 0) {
        request.store = arguments.store.empty() ? defaultStorePath() : arguments.store;
        keeper = std::make_unique<OutsideRun>(request, request.spec, board);
        setup.runId = keeper->row().id;
        setup.store = request.store;
        std::cerr << "concertina-rank 0: run " << setup.runId << " on " << place.worldSize
                  << " ranks started by " << place.launcher << '\n';
    }
    Ending ending = trainToTheEnd(std::move(setup), board);
    if (ending.status == RunStatus::Stopped && interrupts.exitCode() != 0) {
        ending.exitCode = interrupts.exitCode();
    }
    if (keeper != nullptr) {
        keeper->finish(ending.status, ending.reason, ending.exitCode);
    }
    if (!ending.reason.empty()) {
        std::cerr << "concertina-rank " << place.rank << ": " << ending.reason << '\n';
    }
    return ending.exitCode;
}

}  // namespace concertina
