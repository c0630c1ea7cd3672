// SPDX-License-Identifier: Apache-2.0
#include "core/train/trainer.h"

#include <ATen/Context.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "core/base/check.h"
#include "core/base/seeds.h"
#include "core/data/batch_loader.h"
#include "core/train/compute_precision.h"
#include "core/train/epoch_report.h"
#include "core/train/schedule.h"
#include "core/train/task_loss.h"

namespace concertina {
namespace {

constexpr const char* kOnNonFinite = "on_non_finite";

std::optional<LinkModel> linkOf(const RunSpec& spec) {
    if (!spec.link) {
        return std::nullopt;
    }
    constexpr double kBytesPerSecondPerMbps = 1e6 / 8;
    return LinkModel{realOf(*spec.link, "bandwidth_mbps") * kBytesPerSecondPerMbps,
                     realOf(*spec.link, "latency_us") * 1e-6};
}

DeviceChoice deviceOf(const TrainerSetup& setup) {
    return setup.outside
               ? chooseDevice(setup.spec, setup.outside->localRank, setup.outside->localRank + 1)
               : chooseDevice(setup.spec, setup.rank,
                              static_cast<int>(integerOf(setup.spec.ranks, "count")));
}

std::vector<PolicyLayer> policyLayersOf(const std::vector<Layer>& layers) {
    std::vector<PolicyLayer> known;
    for (const Layer& layer : layers) {
        known.push_back({layer.name, layer.compressible});
    }
    return known;
}

}  // namespace

Trainer::Trainer(TrainerSetup setup, RankBoard& board)
    : setup_(std::move(setup)),
      board_(board),
      slot_(board.rank(setup_.rank)),
      worldSize_(static_cast<int>(integerOf(setup_.spec.ranks, "count"))),
      epochs_(static_cast<int>(integerOf(setup_.spec.train, "epochs"))),
      where_(deviceOf(setup_)) {
    const RunSpec& spec = setup_.spec;
    slot_.phase = RankPhase::Loading;
    data_ = makeDataset(spec.data, spec.seed);
    layout_ = {data_->size(Split::Train), integerOf(spec.train, "batch_per_rank"), worldSize_};
    if (inStreams()) {
        layout_ = streamLayout(layout_);
    }
    model_ = makeModel(spec.model, data_->form(), spec.seed);
    model_->to(where_.device);
    parameters_ = parametersOf(*model_);
    openResumePoint();
    join();
    optimizer_ = std::make_unique<Optimizer>(spec, parameters_);
    if (const double decay = realOf(spec.train, "ema_decay"); decay > 0) {
        average_ = std::make_unique<WeightAverage>(parameters_, decay);
    }
    if (setup_.rank == 0) {
        startRecording();
    }
    if (checkpoint_) {
        restore();
    }
}

Trainer::~Trainer() = default;

void Trainer::join() {
    slot_.phase = RankPhase::Joining;
    groups_ = joinRanks(
        {.rendezvousFile = setup_.rendezvousFile,
         .meeting = setup_.outside ? std::optional(setup_.outside->meeting) : std::nullopt,
         .rank = setup_.rank,
         .worldSize = worldSize_,
         .backend = where_.backend,
         .device = where_.device});
    const auto link = linkOf(setup_.spec);
    gradientLink_ = std::make_unique<Collectives>(groups_.gradients, worldSize_, slot_, link);
    control_ = std::make_unique<Collectives>(groups_.control, worldSize_, slot_, link);
    broadcastWeights(*model_, *control_);
    const RankInfo info{setup_.rank, worldSize_, setup_.spec.seed};
    // "rank0-local": only rank 0's own gradients are summed up.
    pipeline_ = std::make_unique<GradientPipeline>(setup_.spec, info, parameters_.names,
                                                   parameters_.tensors, *gradientLink_,
                                                   /*wantNorms=*/setup_.rank == 0);
    denseWireBytesPerStep_ = denseWireBytesPerStep(pipeline_->layers(), worldSize_);
    reducer_ = makeReducer(parameters_.tensors, parameters_.names, groups_.reducer,
                           pipeline_->wantsOneBucket(),
                           checkpoint_ ? checkpoint_->manifest.buckets : BucketLayout());
    reducer_->register_comm_hook(pipeline_->makeHook());
}

void Trainer::startRecording() {
    board_->stepsPerEpoch = static_cast<std::int32_t>(layout_.stepsPerEpoch());
    recorder_ = std::make_unique<Recorder>(setup_.store, setup_.runId);
    recorder_->layers(layerRows(pipeline_->layers()));
    policy_ = makePolicy(setup_.spec, policyLayersOf(pipeline_->layers()));
}

TrainResult Trainer::run() {
    if (!checkpoint_) {
        decideNext(-1, {});
    }
    const auto every = static_cast<int>(integerOf(setup_.spec.train, "checkpoint_every_epochs"));
    After after = After::NextStep;
    while (position_.epoch < epochs_ && after == After::NextStep) {
        after = trainEpoch();
        if (after == After::NextStep) {
            endEpoch(position_.epoch);
            position_ = {position_.epoch + 1, 0};
            const bool atEnd = position_.epoch == epochs_;
            if (stopAfterEpoch_ && !atEnd) {
                after = After::Stop;
            } else if (atEnd || (every > 0 && position_.epoch % every == 0)) {
                writeCheckpoint(/*asked=*/false);
            }
        }
    }
    if (after == After::Stop) {
        writeCheckpoint(/*asked=*/false);
    }
    return finish(after);
}

Trainer::After Trainer::trainEpoch() {
    const int epoch = position_.epoch;
    model_->train();
    slot_.phase = RankPhase::Training;
    slot_.epoch = epoch;
    if (position_.step == 0) {
        pipeline_->beginEpoch();
        lossSum_ = 0;
        secondsBeforeEpoch_ = trainTime_.seconds();
        model_->carry({});
    }
    const std::int64_t steps = layout_.stepsPerEpoch();
    const auto order =
        inStreams() ? streamOrder(layout_) : epochOrder(layout_.samples, setup_.spec.seed, epoch);
    const auto load = [&](std::int64_t step) {
        return data_->batch(Split::Train, shardOf(order, layout_, setup_.rank, step), epoch);
    };
    BatchLoader batches(load, position_.step, steps,
                        static_cast<int>(integerOf(setup_.spec.ranks, "loader_threads")));
    trainTime_.start();
    After after = After::NextStep;
    while (position_.step < steps && after == After::NextStep) {
        after = trainStep(epoch, position_.step, batches.next());
        ++position_.step;
        if (checkpointDue_ && after == After::NextStep) {
            trainTime_.stop();
            writeCheckpoint(/*asked=*/true);
            trainTime_.start();
        }
    }
    trainTime_.stop();
    return after;
}

void Trainer::setLearningRate(int epoch, std::int64_t step) {
    const auto steps = static_cast<double>(layout_.stepsPerEpoch());
    const auto rateAt = [&](int inEpoch, std::int64_t inStep) {
        return learningRateOf(setup_.spec, inEpoch + static_cast<double>(inStep) / steps);
    };
    const double rate = rateAt(epoch, step);
    optimizer_->setLearningRate(rate);
    if (step_ == 0) {
        return;
    }
    const double before =
        step > 0 ? rateAt(epoch, step - 1) : rateAt(epoch - 1, layout_.stepsPerEpoch() - 1);
    if (before == rate || !pipeline_->changeLearningRate(before, rate)) {
        return;
    }
    // A rate that moves in every step is said once an epoch.
    if (recorder_ && step == 0) {
        recorder_->event({.step = step_,
                          .epoch = epoch,
                          .kind = "error-memory-rescaled",
                          .message = "the learning rate went from " + toText(Value(before)) +
                                     " to " + toText(Value(rate)) +
                                     ": error memory, kept as updates, is divided by it anew"});
    }
}

Trainer::After Trainer::trainStep(int epoch, std::int64_t step, const Batch& batch) {
    setLearningRate(epoch, step);
    reducer_->prepare_for_forward();
    reducer_->rebuild_buckets();
    seedDropout();
    at::Tensor loss = lossOf(batch);
    reducer_->prepare_for_backward({});
    loss.backward();

    const double lossValue = loss.item<double>();
    const Agreement agreement = agree({.command = board_->command,
                                       .lossFinite = std::isfinite(lossValue),
                                       .nonFiniteLayer = pipeline_->firstNonFinite()},
                                      setup_.rank, *control_);
    const After after = act(agreement);
    if (after != After::Diverged) {
        applyStep(agreement);  // also before a stop: what is kept is a whole number of steps
        if (agreement.nonFinite) {
            model_->carry({});  // hidden state may be as bad as the loss
        }
    }
    if (recorder_) {
        recorder_->step({step_, epoch, lossValue, trainTime_.seconds()});
    }
    lossSum_ += lossValue;
    publishStep(lossValue);
    return after;
}

/// What dropout draws depends on seed, step and rank only: nothing to save, and compression, which
/// has its own random numbers, changes nothing.
void Trainer::seedDropout() const {
    const auto stream = randomStream(setup_.spec.seed, "dropout",
                                     {.step = static_cast<std::uint32_t>(step_),
                                      .rank = static_cast<std::uint32_t>(setup_.rank)});
    at::manual_seed((std::uint64_t{stream.word(0)} << 32) | stream.word(1));
}

at::Tensor Trainer::lossOf(const Batch& batch) {
    const Settings& train = setup_.spec.train;
    const ComputePrecision precision(textOf(train, "precision") == "bf16", where_.device);
    const at::Tensor outputs = model_->forward(batch.inputs.to(where_.device));
    return taskLoss(data_->form().task, outputs, batch.targets.to(where_.device),
                    realOf(train, "label_smoothing"));
}

void Trainer::applyStep(const Agreement& agreement) {
    if (agreement.nonFinite && textOf(setup_.spec.train, kOnNonFinite) == "skip") {
        pipeline_->discardStep();
        optimizer_->zeroGradients();
        return;
    }
    pipeline_->commitStep();
    optimizer_->step();
    optimizer_->zeroGradients();
    if (average_) {
        average_->update();
    }
}

void Trainer::publishStep(double loss) {
    ++step_;
    slot_.step = step_;
    slot_.loss = loss;
    slot_.wireBytes = static_cast<std::int64_t>(gradientLink_->count(Traffic::Gradient).wireBytes);
    slot_.denseWireBytes =
        static_cast<std::int64_t>(denseWireBytesPerStep_ * static_cast<double>(step_));
    slot_.beatNs = steadyNowNs();
}

/// All ranks alike, for they agreed on the place. The first of an epoch is an event: weights that
/// are not finite any more would fill the store. Returns whether training ends.
bool Trainer::reportNonFinite(const NonFinitePlace& place) {
    const std::string& handling = textOf(setup_.spec.train, kOnNonFinite);
    const int layer = place.layer.value_or(-1);
    const std::string what =
        layer < 0 ? "loss" : "gradient of " + parameters_.names[static_cast<std::size_t>(layer)];
    std::string message = "the " + what + " is not finite on rank " + std::to_string(place.rank) +
                          " in step " + std::to_string(step_);
    if (handling == "stop") {
        reason_ = message;
    } else {
        message += handling == "skip" ? ": the step is left out" : ": what is finite goes on";
    }
    if (recorder_ && reportedEpoch_ != slot_.epoch) {
        recorder_->event({.step = step_,
                          .epoch = slot_.epoch,
                          .rank = place.rank,
                          .layer = layer,
                          .kind = "non-finite",
                          .message = message});
    }
    reportedEpoch_ = slot_.epoch;
    return handling == "stop";
}

Trainer::After Trainer::act(const Agreement& agreement) {
    if (agreement.nonFinite && reportNonFinite(*agreement.nonFinite)) {
        pipeline_->discardStep();
        return After::Diverged;
    }
    if (agreement.command == Command::StopAfterEpoch) {
        stopAfterEpoch_ = true;
    } else if (agreement.command == Command::Pause) {
        waitWhilePaused();
    } else if (agreement.command == Command::Checkpoint) {
        checkpointDue_ = true;
    }
    // A stop that arrived during a pause is agreed on in the next step.
    return agreement.command == Command::Stop ? After::Stop : After::NextStep;
}

void Trainer::waitWhilePaused() {
    trainTime_.stop();
    Command command = Command::Pause;
    while (command == Command::Pause) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        StepVote vote;
        vote.command = board_->command;
        command = agree(vote, setup_.rank, *control_).command;
        slot_.beatNs = steadyNowNs();
    }
    trainTime_.start();
}

TrainResult Trainer::finish(After after) {
    slot_.phase = RankPhase::Finishing;
    const std::string hash = weightsHash(*model_);
    requireEqualOnAllRanks(hash, *control_);
    if (after == After::Stop && reason_.empty()) {
        reason_ = "stopped on request after " + std::to_string(step_) + " steps";
    }
    if (recorder_) {
        recorder_->finish({.weightsHash = hash,
                           .stopped = after == After::Stop,
                           .diverged = after == After::Diverged,
                           .reason = reason_});
        recorder_->close(std::chrono::seconds(60));
    }
    slot_.phase = RankPhase::Done;
    if (after == After::Diverged) {
        return TrainResult::Diverged;
    }
    return after == After::Stop ? TrainResult::Stopped : TrainResult::Finished;
}

}  // namespace concertina
