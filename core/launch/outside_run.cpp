// SPDX-License-Identifier: Apache-2.0
#include "core/launch/outside_run.h"

#include <utility>

#include "core/base/error.h"
#include "core/launch/control_request.h"
#include "core/launch/run_setup.h"

namespace concertina {
namespace {

constexpr std::chrono::milliseconds kBeat{500};

/// The ranks' own logs are the launcher's.
RunRow withoutLog(RunRow row) {
    row.logFile.clear();
    return row;
}

}  // namespace

OutsideRun::OutsideRun(const RunRequest& request, const RunSpec& resolved, RankBoard& board)
    : board_(board),
      row_(withoutLog(rowOf(request, resolved))),
      patience_(request.storePatience),
      keeper_(request.store, row_) {
    keeper_.status(RunStatus::Running);
    thread_ = std::thread([this] { serve(); });
}

OutsideRun::~OutsideRun() { stopServing(); }

void OutsideRun::stopServing() {
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    wake_.notify_all();
    if (thread_.joinable()) {
        thread_.join();
    }
}

void OutsideRun::serve() {
    bool planKnown = false;
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, kBeat, [this] { return ending_; })) {
        if (const int steps = board_->stepsPerEpoch.load(); steps > 0 && !planKnown) {
            planKnown = true;
            keeper_.plan(row_.device, row_.backend, steps);
        }
        keeper_.beat();
        for (const std::string& verb : keeper_.control()) {
            obey(verb);
        }
    }
}

void OutsideRun::obey(const std::string& verb) {
    if (const auto effect = effectOf(verb, board_->command.load())) {
        board_->command = effect->command;
        keeper_.status(effect->status);
    } else if (!isControlVerb(verb)) {
        EventRow event;
        event.kind = "control";
        event.message =
            "request '" + verb + "' is not supported where an outside launcher started the ranks";
        keeper_.event(event);
    }
}

void OutsideRun::finish(RunStatus status, const std::string& reason, int exitCode) {
    stopServing();
    if (!keeper_.finish(status, reason, exitCode, patience_)) {
        throw Error(ErrorKind::Store,
                    "the final status of run " + row_.id +
                        " could not be stored: " + keeper_.trouble().value_or(""));
    }
}

}  // namespace concertina
