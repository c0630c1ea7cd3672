// SPDX-License-Identifier: Apache-2.0
// The Trainer's checkpoints. Each rank writes what only it knows (error memory, compressor state,
// buffers, counters); rank 0 also weights and optimizer, which are equal on all ranks, and last the
// manifest. Buffers are kept as they are on each rank, not averaged: a run that is interrupted must
// not differ from one that is not.
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

#include <algorithm>
#include <cstring>

#include "core/base/durable_file.h"
#include "core/base/error.h"
#include "core/base/sha256.h"
#include "core/store/writer.h"
#include "core/train/tensor_file.h"
#include "core/train/trainer.h"

namespace concertina {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kStorePatience{10};

/// What a rank tells the others of its part: one row of an all-gather.
struct Report {
    std::int64_t sizeBytes = 0;
    char sha256[64] = {};
    char trouble[256] = {};  // empty: all is written
};

CheckpointFile writeState(const fs::path& folder,
                          const std::string& name,
                          const NamedTensors& state) {
    const std::string contents = tensorsToFile(state);
    writeDurably(folder / name, contents);
    return {name, static_cast<std::int64_t>(contents.size()),
            sha256Hex(std::string_view(contents))};
}

NamedTensors named(const NamedParameters& tensors) {
    NamedTensors state;
    for (std::size_t i = 0; i < tensors.names.size(); ++i) {
        state.emplace_back(tensors.names[i], tensors.tensors[i]);
    }
    return state;
}

/// Takes all that begin with `prefix`. REQUIRES: who gets them checks names and shapes.
NamedParameters takeNamed(StateReader& state, const std::string& prefix, at::Device device) {
    NamedParameters taken;
    for (const auto& [name, tensor] : state.takeAll(prefix)) {
        taken.names.push_back(prefix + name);
        taken.tensors.push_back(tensor.to(device));
    }
    return taken;
}

std::vector<Report> exchange(const Report& own, Collectives& control) {
    const auto ranks = static_cast<std::size_t>(control.worldSize());
    const auto size = static_cast<std::int64_t>(sizeof(Report));
    at::Tensor row = at::empty({size}, at::kByte);
    std::memcpy(row.mutable_data_ptr(), &own, sizeof own);
    at::Tensor rows = at::empty({control.worldSize(), size}, at::kByte);
    control.gather(row, rows, Traffic::Checkpoint);
    std::vector<Report> reports(ranks);
    std::memcpy(reports.data(), rows.const_data_ptr(), ranks * sizeof(Report));
    return reports;
}

}  // namespace

at::Tensor Trainer::counters() const {
    std::vector<double> values{lossSum_, trainTime_.seconds(), secondsBeforeEpoch_};
    values.insert(values.end(), countedWireBytes_.begin(), countedWireBytes_.end());
    return at::from_blob(values.data(), {static_cast<std::int64_t>(values.size())}, at::kDouble)
        .clone();
}

NamedTensors Trainer::ownState() const {
    NamedTensors state;
    for (const auto& named : model_->named_buffers()) {
        state.emplace_back("buffer/" + named.key(), named.value());
    }
    const std::vector<at::Tensor> carried = model_->carried();
    for (std::size_t i = 0; i < carried.size(); ++i) {
        state.emplace_back("carried/" + std::to_string(i), carried[i]);
    }
    pipeline_->save(state);
    state.emplace_back("count/trainer", counters());
    state.emplace_back("count/gradient_link", gradientLink_->counts());
    state.emplace_back("count/control_link", control_->counts());
    if (policy_) {
        const auto layers = static_cast<std::int64_t>(pipeline_->layers().size());
        at::Tensor norms = at::empty({history_.epochs(), layers}, at::kDouble);
        at::Tensor rates = at::empty({history_.epochs(), 2}, at::kDouble);
        for (int epoch = 0; epoch < history_.epochs(); ++epoch) {
            const EpochSignals told = history_.at(epoch);
            std::copy(told.norms.begin(), told.norms.end(),
                      norms.mutable_data_ptr<double>() + epoch * layers);
            rates.mutable_data_ptr<double>()[2 * epoch] = told.learningRate;
            rates.mutable_data_ptr<double>()[2 * epoch + 1] = told.nextLearningRate;
        }
        state.emplace_back("policy/norms", norms);
        state.emplace_back("policy/rates", rates);
    }
    return state;
}

std::vector<CheckpointFile> Trainer::writeOwnFiles(const fs::path& folder) const {
    if (recorder_ && !recorder_->flush(kStorePatience)) {
        throw Error(ErrorKind::Store, "the run store does not take what was recorded so far");
    }
    fs::create_directories(folder);
    std::vector<CheckpointFile> files{writeState(folder, rankFileName(setup_.rank), ownState())};
    if (setup_.rank == 0) {
        files.push_back(writeState(folder, kWeightsFile, named(parameters_)));
        NamedTensors optimizer = named(optimizer_->state());
        if (average_) {
            const NamedTensors average = named(average_->state());
            optimizer.insert(optimizer.end(), average.begin(), average.end());
        }
        files.push_back(writeState(folder, kOptimizerFile, optimizer));
    }
    return files;
}

/// All ranks at the same step. A checkpoint that cannot be written is an event: training goes on,
/// and the one before stays.
void Trainer::writeCheckpoint(bool asked) {
    checkpointDue_ = false;
    if (setup_.outside) {
        return;  // machines share no folder, and nobody here could start their ranks again
    }
    reducer_->rebuild_buckets();  // after the first step; the next one would do it first thing
    const fs::path runFiles = runFolder(setup_.store, setup_.runId);
    const fs::path folder = checkpointsOf(runFiles) / checkpointName(step_);
    const fs::path partial = folder.string() + ".partial";
    Report own;
    std::vector<CheckpointFile> files;
    try {
        files = writeOwnFiles(partial);
        own.sizeBytes = files[0].sizeBytes;
        std::memcpy(own.sha256, files[0].sha256.data(), sizeof own.sha256);
    } catch (const std::exception& error) {
        std::strncpy(own.trouble, error.what(), sizeof own.trouble - 1);
    }
    const std::vector<Report> reports = exchange(own, *control_);
    if (setup_.rank == 0) {
        for (int rank = 1; rank < worldSize_; ++rank) {
            const Report& report = reports[static_cast<std::size_t>(rank)];
            files.push_back({rankFileName(rank), report.sizeBytes,
                             std::string(report.sha256, sizeof report.sha256)});
        }
        const auto bad = std::find_if(reports.begin(), reports.end(),
                                      [](const Report& report) { return *report.trouble != 0; });
        finishCheckpoint(partial, folder, files, bad == reports.end() ? "" : bad->trouble, asked);
        // Ranks see the command gone before the next step: they wait below.
        Command done = Command::Checkpoint;
        board_->command.compare_exchange_strong(done, Command::None);
    }
    at::Tensor barrier = at::empty({1}, at::kByte).fill_(0);
    control_->broadcast(barrier, Traffic::Checkpoint);
    slot_.beatNs = steadyNowNs();
}

void Trainer::finishCheckpoint(const fs::path& partial,
                               const fs::path& folder,
                               const std::vector<CheckpointFile>& files,
                               std::string trouble,
                               bool asked) {
    if (trouble.empty()) {
        try {
            CheckpointManifest manifest{.runId = setup_.runId,
                                        .specHash = specHash(setup_.spec),
                                        .ranks = worldSize_,
                                        .step = step_,
                                        .epoch = position_.epoch,
                                        .stepInEpoch = position_.step,
                                        .buckets = reducer_->layout(),
                                        .files = files};
            commitCheckpoint(partial, folder, manifest);
            pruneCheckpoints(runFolder(setup_.store, setup_.runId),
                             static_cast<int>(integerOf(setup_.spec.train, "checkpoint_keep")));
        } catch (const std::exception& error) {
            trouble = error.what();
        }
    }
    if (!trouble.empty()) {
        std::error_code ignored;
        fs::remove_all(partial, ignored);
    }
    if (!trouble.empty() || asked) {
        const std::string place = "after " + std::to_string(step_) + " steps";
        recorder_->event(
            {.timeMs = unixNowMs(),
             .step = step_,
             .epoch = position_.epoch,
             .rank = 0,
             .kind = trouble.empty() ? "checkpoint" : "checkpoint-failed",
             .message = trouble.empty()
                            ? "checkpoint " + place + " as asked: " + folder.string()
                            : "no checkpoint " + place + ", training goes on: " + trouble});
    }
}

void Trainer::openResumePoint() {
    if (setup_.resumeFrom.empty()) {
        return;
    }
    checkpoint_ = CheckpointPlace{setup_.resumeFrom, readManifest(setup_.resumeFrom)};
    const CheckpointManifest& manifest = checkpoint_->manifest;
    if (manifest.ranks != worldSize_) {
        throw Error(ErrorKind::Usage,
                    "the checkpoint is of " + std::to_string(manifest.ranks) +
                        " ranks, each with a memory of its own: it cannot go on with " +
                        std::to_string(worldSize_));
    }
    if (manifest.specHash != specHash(setup_.spec)) {
        throw Error(ErrorKind::Usage, "the checkpoint " + setup_.resumeFrom.string() +
                                          " is of another configuration than this run's");
    }
    position_ = {manifest.epoch, manifest.stepInEpoch};
    step_ = manifest.step;
    if (position_.epoch > epochs_ || position_.step > layout_.stepsPerEpoch()) {
        throw Error(ErrorKind::Usage, "the checkpoint lies behind the run's end");
    }
}

StateReader Trainer::readState(const std::string& name) const {
    const std::string where = "checkpoint file " + (checkpoint_->folder / name).string();
    return {tensorsFromFile(readCheckpointFile(*checkpoint_, name), where), where};
}

void Trainer::restoreWeights() {
    const at::NoGradGuard noGrad;
    StateReader state = readState(kWeightsFile);
    for (std::size_t i = 0; i < parameters_.names.size(); ++i) {
        at::Tensor parameter = parameters_.tensors[i];
        parameter.copy_(state.take(parameters_.names[i], parameter));
    }
    state.requireEmpty();
}

void Trainer::restoreOptimizer() {
    StateReader state = readState(kOptimizerFile);
    if (average_) {
        NamedParameters average;  // in the model's order, as it was given
        for (std::size_t i = 0; i < parameters_.names.size(); ++i) {
            average.names.push_back("average/" + parameters_.names[i]);
            average.tensors.push_back(state.take(average.names.back(), parameters_.tensors[i]));
        }
        average_->restore(average);
    }
    optimizer_->restore(takeNamed(state, "", where_.device));
}

void Trainer::restoreHistory(StateReader& state) {
    const auto layers = static_cast<std::int64_t>(pipeline_->layers().size());
    const at::Tensor norms = state.takeRows("policy/norms", at::empty({layers}, at::kDouble));
    const at::Tensor rates = state.take("policy/rates", at::empty({norms.size(0), 2}, at::kDouble));
    if (norms.size(0) != position_.epoch) {
        throw Error(ErrorKind::Usage, "the checkpoint's policy was told of " +
                                          std::to_string(norms.size(0)) + " epochs, not " +
                                          std::to_string(position_.epoch));
    }
    for (int epoch = 0; epoch < position_.epoch; ++epoch) {
        const double* first = norms.const_data_ptr<double>() + epoch * layers;
        const double* rate = rates.const_data_ptr<double>() + 2 * std::ptrdiff_t{epoch};
        history_.add({.epoch = epoch,
                      .norms = {first, static_cast<std::size_t>(layers)},
                      .learningRate = rate[0],
                      .nextLearningRate = rate[1]});
    }
}

/// After everything was built as for a fresh run. Levels come from the policy, which is told the
/// history again; the counters come last, so that what resuming itself sent is not counted.
void Trainer::restore() {
    restoreWeights();
    restoreOptimizer();
    const at::NoGradGuard noGrad;
    StateReader state = readState(rankFileName(setup_.rank));
    for (const auto& named : model_->named_buffers()) {
        at::Tensor buffer = named.value();
        buffer.copy_(state.take("buffer/" + named.key(), buffer));
    }
    std::vector<at::Tensor> carried;
    for (const auto& [name, tensor] : state.takeAll("carried/")) {
        carried.push_back(tensor.to(where_.device));
    }
    model_->carry(carried);
    pipeline_->load(state, step_);
    std::vector<int> levels(pipeline_->layers().size(), 0);
    if (policy_) {
        restoreHistory(state);
        levels = concertina::levelsAfter(*policy_, history_, levels.size());
    }
    shareLevels(std::move(levels));
    const at::Tensor values = state.take("count/trainer", counters());
    const auto* value = values.const_data_ptr<double>();
    lossSum_ = *value++;
    trainTime_.restore(*value++);
    secondsBeforeEpoch_ = *value++;
    std::copy(value, value + countedWireBytes_.size(), countedWireBytes_.begin());
    gradientLink_->restoreCounts(state.take("count/gradient_link", gradientLink_->counts()));
    control_->restoreCounts(state.take("count/control_link", control_->counts()));
    state.requireEmpty();
    slot_.step = step_;
}

}  // namespace concertina
