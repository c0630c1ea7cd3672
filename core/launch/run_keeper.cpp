// SPDX-License-Identifier: Apache-2.0
#include "core/launch/run_keeper.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "core/base/error.h"
#include "core/launch/supervisor.h"

namespace concertina {
namespace {

constexpr std::chrono::milliseconds kQuick{200};
constexpr std::chrono::milliseconds kRetry{500};

}  // namespace

RunKeeper::RunKeeper(const std::filesystem::path& store,
                     const RunRow& run,
                     const std::optional<ResumePoint>& from)
    : store_(store), id_(run.id) {
    // In one transaction with its supervisor: killed in between, nobody could tell that it is lost.
    if (from) {
        RunWriter(store).reopenRun(run.id, run.supervisor, *from);
    } else {
        RunWriter(store).createRun(run);
    }
    writer_.emplace(store, kQuick);
}

void RunKeeper::flush(RunWriter& writer) {
    while (!pending_.empty()) {
        pending_.front()(writer);
        pending_.pop_front();
    }
}

void RunKeeper::write(Write what) {
    pending_.push_back(std::move(what));
    try {
        flush(*writer_);
        trouble_.reset();
    } catch (const Error& error) {
        trouble_ = error.what();
    }
}

void RunKeeper::status(RunStatus status, std::string reason) {
    write([id = id_, status, reason = std::move(reason)](RunWriter& writer) {
        writer.setStatus(id, status, reason);
    });
}

void RunKeeper::plan(const std::string& device, const std::string& backend, int stepsPerEpoch) {
    write([=, id = id_](RunWriter& writer) { writer.setPlan(id, device, backend, stepsPerEpoch); });
}

void RunKeeper::event(EventRow event) {
    event.timeMs = unixNowMs();
    write([id = id_, event = std::move(event)](RunWriter& writer) { writer.addEvent(id, event); });
}

void RunKeeper::beat() {
    // Not queued: a heartbeat that comes late says nothing.
    try {
        flush(*writer_);
        writer_->heartbeat(id_);
        trouble_.reset();
    } catch (const Error& error) {
        trouble_ = error.what();
    }
}

std::vector<std::string> RunKeeper::control() {
    try {
        return writer_->takeControl(id_);
    } catch (const Error& error) {
        trouble_ = error.what();
        return {};
    }
}

bool RunKeeper::finish(RunStatus status,
                       const std::string& reason,
                       int exitCode,
                       std::chrono::milliseconds patience) {
    // Not only a lock may go away while it waits: on a full disk somebody may make room.
    const auto deadline = std::chrono::steady_clock::now() + patience;
    for (;;) {
        try {
            RunWriter patient(store_, patience);
            flush(patient);
            patient.setStatus(id_, status, reason, exitCode);
            return true;
        } catch (const Error& error) {
            trouble_ = error.what();
        }
        if (std::chrono::steady_clock::now() >= deadline) {
            return false;
        }
        std::this_thread::sleep_for(std::min(kRetry, patience));
    }
}

}  // namespace concertina
