// SPDX-License-Identifier: Apache-2.0
// The Trainer between two epochs: measure, decide, record.
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/base/check.h"
#include "core/train/epoch_report.h"
#include "core/train/schedule.h"
#include "core/train/task_loss.h"
#include "core/train/trainer.h"

namespace concertina {

/// What ranks add up over an epoch; the layout of one metric all-reduce.
struct Trainer::Sums {
    double trainLoss = 0, trainSteps = 0, testLoss = 0, testCorrect = 0, testTargets = 0;
    static constexpr std::int64_t kCount = 5;
};

Trainer::Sums Trainer::measure(int epoch) {
    Sums sums;
    sums.trainLoss = lossSum_;
    sums.trainSteps = static_cast<double>(layout_.stepsPerEpoch());
    const std::int64_t every = integerOf(setup_.spec.train, "eval_every_epochs");
    if ((epoch + 1) % every == 0 || epoch + 1 == epochs_) {
        slot_.phase = RankPhase::Evaluating;
        averageBuffers(*model_, *control_);
        if (average_) {
            average_->swap();
        }
        evaluate(sums);
        if (average_) {
            average_->swap();
        }
    }
    static_assert(sizeof(Sums) == Sums::kCount * sizeof(double));
    at::Tensor all = at::empty({Sums::kCount}, at::kDouble);
    std::memcpy(all.mutable_data_ptr(), &sums, sizeof sums);
    control_->sum(all, Traffic::Metric);
    std::memcpy(&sums, all.const_data_ptr(), sizeof sums);
    return sums;
}

/// This rank's part of the test set.
void Trainer::evaluate(Sums& sums) {
    const at::NoGradGuard noGrad;
    model_->eval();
    model_->carry({});
    constexpr std::int64_t kBatch = 500, kStreams = 10;
    const std::int64_t samples = data_->size(Split::Test);
    const Task task = data_->form().task;
    const auto batches = inStreams() ? evaluationStreams(samples, setup_.rank, worldSize_, kStreams)
                                     : evaluationBatches(samples, setup_.rank, worldSize_, kBatch);
    for (const auto& indices : batches) {
        const Batch batch = data_->batch(Split::Test, indices);
        const at::Tensor targets = batch.targets.to(where_.device);
        const at::Tensor outputs = model_->forward(batch.inputs.to(where_.device));
        const auto count = static_cast<double>(targets.numel());
        sums.testLoss += taskLoss(task, outputs, targets).item<double>() * count;
        sums.testCorrect += rightPredictions(task, outputs, targets);
        sums.testTargets += count;
        slot_.beatNs = steadyNowNs();
    }
}

void Trainer::endEpoch(int epoch) {
    const std::vector<Layer>& layers = pipeline_->layers();
    std::vector<double> norms;
    std::transform(layers.begin(), layers.end(), std::back_inserter(norms), epochNorm);
    const Sums sums = measure(epoch);
    const std::string hash = weightsHash(*model_);
    requireEqualOnAllRanks(hash, *control_);

    EpochRow row;
    row.epoch = epoch;
    row.steps = layout_.stepsPerEpoch();
    row.trainLoss = sums.trainLoss / sums.trainSteps;
    if (sums.testTargets > 0) {
        row.testLoss = sums.testLoss / sums.testTargets;
        if (data_->form().task != Task::Values) {
            row.testAccuracy = sums.testCorrect / sums.testTargets;
        }
    }
    row.learningRate = learningRateOf(setup_.spec, epoch);
    row.trainSeconds = trainTime_.seconds();
    row.epochSeconds = row.trainSeconds - secondsBeforeEpoch_;
    row.weightsHash = hash;
    auto layerRows = layerEpochRows(layers, norms, epoch, row.steps, worldSize_);
    addByteTotals(row, layers, layerRows);
    if (epoch + 1 < epochs_) {
        decideNext(epoch, norms);
    } else if (policy_) {
        history_.add(signalsOf(epoch, norms));  // for who goes on from the last checkpoint
    }
    row.decisionWireBytes = wireBytesSinceLastEpoch(Traffic::Decision);
    row.controlWireBytes = wireBytesSinceLastEpoch(Traffic::Control);
    row.metricWireBytes = wireBytesSinceLastEpoch(Traffic::Metric);
    row.bufferWireBytes = wireBytesSinceLastEpoch(Traffic::Buffer);
    row.sizeWireBytes = wireBytesSinceLastEpoch(Traffic::Size);
    if (recorder_) {
        recorder_->epoch(std::move(row), std::move(layerRows));
    }
}

double Trainer::wireBytesSinceLastEpoch(Traffic kind) {
    double& counted = countedWireBytes_[static_cast<std::size_t>(kind)];
    const double total = control_->count(kind).wireBytes + gradientLink_->count(kind).wireBytes;
    return total - std::exchange(counted, total);
}

EpochSignals Trainer::signalsOf(int epoch, const std::vector<double>& norms) const {
    return {.epoch = epoch,
            .norms = norms,
            .learningRate = learningRateOf(setup_.spec, epoch),
            .nextLearningRate = learningRateOf(setup_.spec, epoch + 1)};
}

/// Levels of the epoch after `epoch` (-1: of the first): rank 0 decides from its norms, all follow.
void Trainer::decideNext(int epoch, const std::vector<double>& norms) {
    std::vector<int> levels(pipeline_->layers().size(), 0);
    if (policy_) {
        std::vector<Decision> decisions;
        if (epoch < 0) {
            decisions = policy_->start();
        } else {
            history_.add(signalsOf(epoch, norms));
            decisions = policy_->endOfEpoch(history_.at(epoch));
        }
        levels = levelsAfter(decisions);
        recorder_->decisions(decisions);
    }
    shareLevels(std::move(levels));
}

std::vector<int> Trainer::levelsAfter(const std::vector<Decision>& decisions) const {
    std::vector<int> levels;
    for (const Layer& layer : pipeline_->layers()) {
        levels.push_back(layer.level);
    }
    for (const Decision& decision : decisions) {
        levels[static_cast<std::size_t>(decision.layer)] = decision.level;
    }
    return levels;
}

void Trainer::shareLevels(std::vector<int> levels) {
    const auto count = static_cast<std::int64_t>(levels.size());
    at::Tensor shared = at::empty({count}, at::kInt);
    std::copy(levels.begin(), levels.end(), shared.mutable_data_ptr<int>());
    control_->broadcast(shared, Traffic::Decision);
    const int* first = shared.const_data_ptr<int>();
    pipeline_->setLevels({first, first + count});
}

}  // namespace concertina
