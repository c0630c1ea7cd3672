// SPDX-License-Identifier: Apache-2.0
// Rows of the run store as plain values. The recorder takes them, the reader returns them;
// resources/docs/store.md describes the tables. Bytes are of ONE rank (rank 0). Epochs and layers
// count from 0, steps from 0 over the whole run.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/process_identity.h"
#include "core/catalogue/catalogue.h"
#include "core/policy/policy.h"

namespace concertina {

enum class RunStatus { Queued, Running, Paused, Done, Stopped, Failed, Diverged, Lost };
const char* toText(RunStatus status);
std::optional<RunStatus> runStatusFromText(const std::string& text);
/// Queued, Running or Paused: somebody still works on it.
bool isActive(RunStatus status);

struct RunRow {
    std::string id, name;
    RunStatus status = RunStatus::Queued;
    std::string reason;  // why it ended as it did; empty while all is well
    std::string specJson, specHash;
    std::uint64_t seed = 1;
    std::string study, variant;  // empty outside a batch
    std::string compressor, policy, model, dataset;
    int ranks = 1;
    std::string device, backend;  // resolved: "cpu", "gloo"
    int epochsPlanned = 0, stepsPerEpoch = 0;
    std::int64_t createdMs = 0, startedMs = 0, finishedMs = 0,
                 heartbeatMs = 0;  // Unix time; 0 = not yet
    ProcessIdentity supervisor;
    std::string weightsHash;  // SHA-256 of the final weights; empty until known
    std::optional<int> exitCode;
    std::string logFile;
    // Progress so far, kept up by the recorder with every epoch row (so that a list needs no
    // joins).
    int epochsDone = 0;
    std::int64_t stepsDone = 0;
    std::optional<double> testAccuracy, testLoss;  // of the last evaluated epoch
    double trainSeconds = 0;
    double payloadBytes = 0, wireBytes = 0;  // gradients, so far
    double denseFp32WireBytes = 0,
           denseFp32PayloadBytes = 0;  // what dense fp32 would have sent; fp16 is half
    double decisionWireBytes = 0;
    std::optional<double> mildShare;  // of layer-epochs of compressible layers
    std::int64_t droppedPoints = 0;   // step rows lost to an unavailable store
};

struct LayerRow {
    int layer = 0;
    std::string name;
    Shape shape;
    bool compressible = false;  // dim >= 2
    std::int64_t elements() const { return elementsOf(shape); }
};

/// The name of layer `layer`, "layer 7" where `layers` has none.
std::string layerName(std::span<const LayerRow> layers, int layer);

struct StepRow {
    std::int64_t step = 0;
    int epoch = 0;
    double loss = 0;          // of rank 0's batch
    double trainSeconds = 0;  // monotonic, training only, since the run began
};

struct EpochRow {
    int epoch = 0;
    double trainLoss = 0;                          // mean over steps and ranks
    std::optional<double> testLoss, testAccuracy;  // accuracy 0..1
    double learningRate = 0;
    double trainSeconds = 0,
           epochSeconds = 0;  // cumulative at its end; of this epoch without evaluation
    std::int64_t steps = 0;
    double payloadBytes = 0, wireBytes = 0;  // gradients in this epoch
    double denseFp32WireBytes = 0, denseFp32PayloadBytes = 0;
    double decisionWireBytes = 0, controlWireBytes = 0, metricWireBytes = 0, bufferWireBytes = 0;
    double sizeWireBytes = 0;  // of exchanging how long variable messages are
    std::string weightsHash;   // SHA-256, equal on all ranks
};

struct LayerEpochRow {
    int epoch = 0, layer = 0;
    double norm = 0;  // l2 norm of the epoch's accumulated gradient (as the policy's `norm`)
    int level = -1;   // trained at in this epoch; -1: not compressible
    std::string effectiveLevel;  // "rank 4", "dense", "dense: not worth it"
    double payloadBytes = 0, wireBytes = 0, denseFp32WireBytes = 0;
    double strongestWireBytes = 0,
           mildestWireBytes = 0;  // what the strongest and mildest level would have sent
};

struct EventRow {
    std::int64_t timeMs = 0;
    std::int64_t step = -1;
    int epoch = -1, rank = -1, layer = -1;
    std::string kind;  // "non-finite", "error-memory-reset", "rank-lost", "store-retry", "stopped"
    std::string message;
};

/// What rank 0 knows when training ends. Kept in the run's row (hash, reason) and as an event of
/// kind "finished", "stopped" or "diverged".
struct FinishRow {
    std::string weightsHash;
    bool stopped = false;  // ended early on request
    bool diverged = false;
    std::string reason;
};

/// Where an interrupted run goes on; what it recorded behind that is superseded, for it will be
/// recorded again.
struct ResumePoint {
    int epoch = 0;  // the one that goes on: its row and those of later ones
    std::int64_t step = 0;
    bool fresh = true;  // from the very start: the first decisions as well
};

/// Points that are written together: all of them or none.
struct PointBatch {
    std::vector<LayerRow> layers;
    std::vector<StepRow> steps;
    std::vector<EpochRow> epochs;
    std::vector<LayerEpochRow> layerEpochs;
    std::vector<Decision> decisions;
    std::vector<EventRow> events;
    std::optional<FinishRow> finish;
    std::int64_t droppedSteps = 0;  // added to the run's droppedPoints
};

}  // namespace concertina
