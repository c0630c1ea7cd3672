// SPDX-License-Identifier: Apache-2.0
// Trainer: one rank's training run from the first weight to the last. Made by concertina-rank on
// its main thread, which then calls run(). Rank 0 also decides levels and records.
#pragma once
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/comm/gradient_pipeline.h"
#include "core/comm/process_groups.h"
#include "core/comm/reducer.h"
#include "core/data/dataset.h"
#include "core/data/sharded_order.h"
#include "core/launch/rank_board.h"
#include "core/model/model.h"
#include "core/policy/signal_history.h"
#include "core/store/checkpoint.h"
#include "core/store/recorder.h"
#include "core/train/device.h"
#include "core/train/optimizer.h"
#include "core/train/step_control.h"
#include "core/train/stopwatch.h"
#include "core/train/weight_average.h"
#include "core/train/weights.h"

namespace concertina {

struct TrainerSetup {
    RunSpec spec;
    std::string runId;
    std::filesystem::path store;
    std::filesystem::path rendezvousFile;
    std::optional<OutsidePlace> outside{};  // the ranks were started by an outside launcher
    int rank = 0;
    std::filesystem::path resumeFrom{};  // a checkpoint's folder; empty: from the start
};

enum class TrainResult { Finished, Stopped, Diverged };

class Trainer {
 public:
    /// Loads data, builds the model and joins the other ranks. Throws Error.
    Trainer(TrainerSetup setup, RankBoard& board);
    ~Trainer();

    /// Trains to the end or until asked to stop. Throws Error(RankLost) when a peer is gone and
    /// Error(Store) when, at the end, what must not be lost could not be written.
    TrainResult run();
    /// Why it was stopped or diverged; empty when it finished.
    const std::string& reason() const { return reason_; }

 private:
    enum class After { NextStep, Stop, Diverged };

    /// Between two steps: which epoch goes on, and how many of its steps are trained.
    struct Position {
        int epoch = 0;
        std::int64_t step = 0;
    };

    void join();
    void startRecording();
    After trainEpoch();
    void setLearningRate(int epoch, std::int64_t step);
    void seedDropout() const;
    at::Tensor lossOf(const Batch& batch);
    After trainStep(int epoch, std::int64_t step, const Batch& batch);
    /// Whether a step's batch goes on where the last one ended.
    bool inStreams() const { return data_->form().task == Task::Tokens; }
    After act(const Agreement& agreement);
    void waitWhilePaused();
    bool reportNonFinite(const NonFinitePlace& place);
    void applyStep(const Agreement& agreement);
    void publishStep(double loss);
    void endEpoch(int epoch);
    struct Sums;
    Sums measure(int epoch);
    void evaluate(Sums& sums);
    EpochSignals signalsOf(int epoch, const std::vector<double>& norms) const;
    void decideNext(int epoch, const std::vector<double>& norms);
    void shareLevels(std::vector<int> levels);
    std::vector<int> levelsAfter(const std::vector<Decision>& decisions) const;
    double wireBytesSinceLastEpoch(Traffic kind);
    TrainResult finish(After after);

    // trainer_checkpoint.cpp
    void openResumePoint();
    void restore();
    void restoreWeights();
    void restoreOptimizer();
    void restoreHistory(StateReader& state);
    StateReader readState(const std::string& name) const;
    void writeCheckpoint(bool asked);
    std::vector<CheckpointFile> writeOwnFiles(const std::filesystem::path& folder) const;
    void finishCheckpoint(const std::filesystem::path& partial,
                          const std::filesystem::path& folder,
                          const std::vector<CheckpointFile>& files,
                          std::string trouble,
                          bool asked);
    NamedTensors ownState() const;
    at::Tensor counters() const;

    TrainerSetup setup_;
    RankBoard& board_;
    RankSlot& slot_;
    int worldSize_;
    int epochs_;
    DeviceChoice where_;
    std::unique_ptr<Dataset> data_;
    ShardLayout layout_;
    std::shared_ptr<Model> model_;
    NamedParameters parameters_;
    ProcessGroups groups_;
    std::unique_ptr<Collectives> gradientLink_, control_;
    std::unique_ptr<GradientPipeline> pipeline_;
    std::unique_ptr<GradientReducer> reducer_;  // after pipeline_: it ends first
    std::unique_ptr<Optimizer> optimizer_;
    std::unique_ptr<WeightAverage> average_;  // with train.ema_decay
    std::unique_ptr<Policy> policy_;          // rank 0
    std::unique_ptr<Recorder> recorder_;      // rank 0

    SignalHistory history_;                      // rank 0: what the policy was told
    std::optional<CheckpointPlace> checkpoint_;  // that this run goes on from

    Stopwatch trainTime_;
    double secondsBeforeEpoch_ = 0;
    double lossSum_ = 0;  // of this rank's steps in the epoch
    std::int64_t step_ = 0;
    Position position_;
    double denseWireBytesPerStep_ = 0;
    std::array<double, kTrafficKinds> countedWireBytes_{};  // in epoch rows so far
    bool stopAfterEpoch_ = false;
    bool checkpointDue_ = false;
    int reportedEpoch_ = -1;  // the last in which something not finite was reported
    std::string reason_;
};

}  // namespace concertina
