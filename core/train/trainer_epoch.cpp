// SPDX-License-Identifier: Apache-2.0
// The Trainer between two epochs: measure, decide, record.
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/empty.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "core/base/check.h"
#include "core/train/epoch_report.h"
#include "core/train/schedule.h"
#include "core/train/trainer.h"

namespace concertina {

/// What ranks add up over an epoch; the layout of one metric all-reduce.
struct Trainer::Sums {
    double trainLoss = 0, trainSteps = 0, testLoss = 0, testCorrect = 0, testSamples = 0;
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

/// This rank's part of the test set: neighbouring samples, every one on exactly one rank.
void Trainer::evaluate(Sums& sums) {
    const at::NoGradGuard noGrad;
    model_->eval();
    constexpr std::int64_t kBatch = 500;
    const std::int64_t samples = data_->size(Split::Test);
    const std::int64_t begin = samples * setup_.rank / worldSize_;
    const std::int64_t end = samples * (setup_.rank + 1) / worldSize_;
    for (std::int64_t at = begin; at < end; at += kBatch) {
        std::vector<std::int64_t> indices(static_cast<std::size_t>(std::min(kBatch, end - at)));
        std::iota(indices.begin(), indices.end(), at);
        const Batch batch = data_->batch(Split::Test, indices);
        const at::Tensor targets = batch.targets.to(where_.device);
        const at::Tensor logits = model_->forward(batch.inputs.to(where_.device));
        const auto count = static_cast<double>(indices.size());
        sums.testLoss += at::cross_entropy_loss(logits, targets).item<double>() * count;
        sums.testCorrect += logits.argmax(1).eq(targets).sum().item<double>();
        sums.testSamples += count;
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
    if (sums.testSamples > 0) {
        row.testLoss = sums.testLoss / sums.testSamples;
        row.testAccuracy = sums.testCorrect / sums.testSamples;
    }
    row.learningRate = learningRateOf(setup_.spec, epoch);
    row.trainSeconds = trainTime_.seconds();
    row.epochSeconds = row.trainSeconds - secondsBeforeEpoch_;
    row.weightsHash = hash;
    auto layerRows = layerEpochRows(layers, norms, epoch, row.steps, worldSize_);
    addByteTotals(row, layers, layerRows);
    if (epoch + 1 < epochs_) {
        decideNext(epoch, norms);
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

/// Levels of the epoch after `epoch` (-1: of the first): rank 0 decides from its norms, all follow.
void Trainer::decideNext(int epoch, const std::vector<double>& norms) {
    std::vector<int> levels(pipeline_->layers().size(), 0);
    if (policy_) {
        const auto decisions =
            epoch < 0
                ? policy_->start()
                : policy_->endOfEpoch({.epoch = epoch,
                                       .norms = norms,
                                       .learningRate = learningRateOf(setup_.spec, epoch),
                                       .nextLearningRate = learningRateOf(setup_.spec, epoch + 1)});
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
