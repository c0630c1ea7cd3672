// SPDX-License-Identifier: Apache-2.0
// RunKeeper: the supervisor's side of a run's row. Training never waits for the store: what cannot
// be written now is kept and written later, in order. Used by the supervisor on its own thread.
#pragma once
#include <deque>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/store/writer.h"

namespace concertina {

class RunKeeper {
 public:
    /// Creates the row, which names its supervisor, or opens that of a run that goes on `from` a
    /// point. Throws Error: then nothing may be started.
    RunKeeper(const std::filesystem::path& store,
              const RunRow& run,
              const std::optional<ResumePoint>& from = std::nullopt);

    void status(RunStatus status, std::string reason = {});
    void plan(const std::string& device, const std::string& backend, int stepsPerEpoch);
    void event(EventRow event);
    /// Heartbeat, and whatever could not be written before.
    void beat();
    /// Control requests not seen yet; none while the store cannot be asked.
    std::vector<std::string> control();
    /// The final status, trying up to `patience` while the store is locked or full. False if it
    /// could not be stored; trouble() says why.
    bool finish(RunStatus status,
                const std::string& reason,
                int exitCode,
                std::chrono::milliseconds patience);

    /// Why the store cannot be written at the moment.
    const std::optional<std::string>& trouble() const { return trouble_; }

 private:
    using Write = std::function<void(RunWriter&)>;
    void write(Write what);
    void flush(RunWriter& writer);

    std::filesystem::path store_;
    std::string id_;
    std::optional<RunWriter> writer_;  // gives up on a locked store quickly: ranks must be watched
    std::deque<Write> pending_;
    std::optional<std::string> trouble_;
};

}  // namespace concertina
