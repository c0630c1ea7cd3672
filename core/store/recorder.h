// SPDX-License-Identifier: Apache-2.0
// Recorder: rank 0's way into the store. Calls queue a row and return at once; one thread of its
// own writes batches. Training never waits for the store: when it is locked, full or gone, step
// rows are dropped (and counted) once the queue is full, while epochs, decisions, events and the
// finish are held and written later.
#pragma once
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/store/records.h"

namespace concertina {

struct RecorderOptions {
    std::chrono::milliseconds batchInterval{250};    // how long rows gather before they are written
    std::chrono::milliseconds busyTimeout{250};      // one attempt's patience with other writers
    std::chrono::milliseconds longestBackOff{2000};  // between attempts
    std::size_t maxQueuedSteps = 200'000;            // about 6 MB
};

class Recorder {
 public:
    Recorder(const std::filesystem::path& store, std::string runId, RecorderOptions options = {});
    ~Recorder();  ///< as close(5 s), without throwing
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    // Any thread. REQUIRES: before close().
    void layers(std::vector<LayerRow> rows);
    void step(const StepRow& row);
    void epoch(EpochRow row, std::vector<LayerEpochRow> layers);
    void decisions(std::vector<Decision> rows);
    void event(EventRow row);
    void finish(FinishRow row);

    /// Waits up to `patience` until all that was queued before is in the store; false if it is not.
    bool flush(std::chrono::milliseconds patience);
    /// Writes what is queued, trying up to `patience` while the store is locked or full; what is
    /// left is given up. Throws Error(Store) if that was more than step rows. A second call does
    /// nothing.
    void close(std::chrono::milliseconds patience);
    std::int64_t droppedSteps() const;

 private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace concertina
