// SPDX-License-Identifier: Apache-2.0
// RunWriter: short write transactions on the run store. The supervisor owns a run's row, status and
// heartbeat; the recorder (recorder.h) uses it for points; other programs for control requests. One
// object per thread. Every call waits for other writers up to `busyTimeout`, then throws
// Error(Store) and leaves the store as it was.
#pragma once
#include <chrono>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "core/store/records.h"

namespace concertina {

/// --store FILE, else $CONCERTINA_STORE, else $XDG_DATA_HOME/concertina/runs.sqlite
/// (~/.local/share).
std::filesystem::path defaultStorePath();
/// Folder for a run's spec, logs and checkpoints: "<store>.files/<id>". Not created.
std::filesystem::path runFolder(const std::filesystem::path& store, const std::string& runId);
std::string newRunId();  ///< 12 lower-case letters and digits, time-ordered
std::int64_t unixNowMs();

class RunWriter {
 public:
    /// Opens or creates the store (and its folder), migrates it when it is older, refuses it when
    /// it is newer.
    explicit RunWriter(const std::filesystem::path& store,
                       std::chrono::milliseconds busyTimeout = std::chrono::seconds(5));
    ~RunWriter();
    RunWriter(const RunWriter&) = delete;
    RunWriter& operator=(const RunWriter&) = delete;

    // --- the supervisor's part
    void createRun(const RunRow& run);  ///< progress fields are ignored. Throws if the id exists.
    /// Status with its reason; sets startedMs on the first Running, finishedMs on an ended status.
    /// An ended status without a reason keeps the one that finishTraining gave.
    void setStatus(const std::string& id,
                   RunStatus status,
                   const std::string& reason = {},
                   std::optional<int> exitCode = {});
    /// An ended run goes on under another supervisor: queued, without an end, and without the
    /// points that `from` supersedes, so that nothing is there twice. In one transaction. Throws
    /// Error(Usage) if it has not ended.
    void reopenRun(const std::string& id,
                   const ProcessIdentity& supervisor,
                   const ResumePoint& from);
    void setSupervisor(const std::string& id, const ProcessIdentity& identity);
    void heartbeat(const std::string& id);
    void setPlan(const std::string& id,
                 const std::string& device,
                 const std::string& backend,
                 int stepsPerEpoch);
    void addEvent(const std::string& id, const EventRow& event);
    /// Active rows whose supervisor is known and no longer lives (other boot, pid gone or reused)
    /// become Lost, ended at their last heartbeat. Rows of other hosts stay. Returns the ids.
    std::vector<std::string> markLost();

    // --- control: "stop", "stop-after-epoch", "checkpoint", "pause", "continue"
    void requestControl(const std::string& id, const std::string& verb);
    /// Requests not seen yet, oldest first; they count as seen afterwards.
    std::vector<std::string> takeControl(const std::string& id);

    // --- points (one transaction each). A row that is there already is replaced: a resumed run
    // writes epochs again.
    void addPoints(const std::string& id, const PointBatch& batch);
    void addLayers(const std::string& id, std::span<const LayerRow> layers);
    void addSteps(const std::string& id, std::span<const StepRow> steps);
    /// An epoch and its layers, together with the run row's progress.
    void addEpoch(const std::string& id,
                  const EpochRow& epoch,
                  std::span<const LayerEpochRow> layers);
    void addDecisions(const std::string& id, std::span<const Decision> decisions);
    void finishTraining(const std::string& id, const FinishRow& finish);
    void addDroppedPoints(const std::string& id, std::int64_t count);

 private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace concertina
