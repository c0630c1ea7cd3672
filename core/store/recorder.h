// SPDX-License-Identifier: Apache-2.0
// Recorder: rank 0's way into the store. Calls queue a row and return at once; one thread of its own writes batches.
// Training never waits for the store: when it is locked, full or gone, step rows are dropped (and counted) once the
// queue is full, while epochs, decisions, events and the finish are held and written later.
#pragma once
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/store/records.h"

namespace concertina {

class Recorder {
public:
    Recorder(const std::filesystem::path& store, std::string runId);
    ~Recorder();  ///< as close(5 s), without throwing
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    void layers(std::vector<LayerRow> rows);
    void step(const StepRow& row);
    void epoch(EpochRow row, std::vector<LayerEpochRow> layers);
    void decisions(std::vector<Decision> rows);
    void event(EventRow row);
    void finish(FinishRow row);

    /// Writes what is queued, waiting up to `patience` for a locked or full store. Throws Error(Store) if something that
    /// must not be lost could not be written.
    void close(std::chrono::milliseconds patience);
    std::int64_t droppedSteps() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace concertina
