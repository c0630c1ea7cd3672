// SPDX-License-Identifier: Apache-2.0
// Which column holds which field, once, for writing and reading: visitFields(row, visit) calls
// visit(column, field) in the order of the table's columns after `run`. Only core/store uses it. A
// test compares the order with the schema.
#pragma once
#include <concepts>
#include <type_traits>

#include "core/store/records.h"

namespace concertina {

/// Row is T or const T.
template <typename Row, typename T>
concept RowOf = std::same_as<std::remove_const_t<Row>, T>;

template <RowOf<RunRow> Row, typename Visit>
void visitFields(Row& row, Visit&& visit) {
    visit("id", row.id);
    visit("name", row.name);
    visit("status", row.status);
    visit("reason", row.reason);
    visit("spec_json", row.specJson);
    visit("spec_hash", row.specHash);
    visit("seed", row.seed);
    visit("study", row.study);
    visit("variant", row.variant);
    visit("compressor", row.compressor);
    visit("policy", row.policy);
    visit("model", row.model);
    visit("dataset", row.dataset);
    visit("ranks", row.ranks);
    visit("device", row.device);
    visit("backend", row.backend);
    visit("epochs_planned", row.epochsPlanned);
    visit("steps_per_epoch", row.stepsPerEpoch);
    visit("created_ms", row.createdMs);
    visit("started_ms", row.startedMs);
    visit("finished_ms", row.finishedMs);
    visit("heartbeat_ms", row.heartbeatMs);
    visit("supervisor_pid", row.supervisor.pid);
    visit("supervisor_start_ticks", row.supervisor.startTicks);
    visit("supervisor_boot_id", row.supervisor.bootId);
    visit("supervisor_host", row.supervisor.host);
    visit("weights_hash", row.weightsHash);
    visit("exit_code", row.exitCode);
    visit("log_file", row.logFile);
    visit("epochs_done", row.epochsDone);
    visit("steps_done", row.stepsDone);
    visit("test_accuracy", row.testAccuracy);
    visit("test_loss", row.testLoss);
    visit("train_seconds", row.trainSeconds);
    visit("payload_bytes", row.payloadBytes);
    visit("wire_bytes", row.wireBytes);
    visit("dense_fp32_wire_bytes", row.denseFp32WireBytes);
    visit("dense_fp32_payload_bytes", row.denseFp32PayloadBytes);
    visit("decision_wire_bytes", row.decisionWireBytes);
    visit("mild_share", row.mildShare);
    visit("dropped_points", row.droppedPoints);
}

template <RowOf<LayerRow> Row, typename Visit>
void visitFields(Row& row, Visit&& visit) {
    visit("layer", row.layer);
    visit("name", row.name);
    visit("shape", row.shape);
    visit("compressible", row.compressible);
}

template <RowOf<StepRow> Row, typename Visit>
void visitFields(Row& row, Visit&& visit) {
    visit("step", row.step);
    visit("epoch", row.epoch);
    visit("loss", row.loss);
    visit("train_seconds", row.trainSeconds);
}

template <RowOf<EpochRow> Row, typename Visit>
void visitFields(Row& row, Visit&& visit) {
    visit("epoch", row.epoch);
    visit("train_loss", row.trainLoss);
    visit("test_loss", row.testLoss);
    visit("test_accuracy", row.testAccuracy);
    visit("learning_rate", row.learningRate);
    visit("train_seconds", row.trainSeconds);
    visit("epoch_seconds", row.epochSeconds);
    visit("steps", row.steps);
    visit("payload_bytes", row.payloadBytes);
    visit("wire_bytes", row.wireBytes);
    visit("dense_fp32_wire_bytes", row.denseFp32WireBytes);
    visit("dense_fp32_payload_bytes", row.denseFp32PayloadBytes);
    visit("decision_wire_bytes", row.decisionWireBytes);
    visit("control_wire_bytes", row.controlWireBytes);
    visit("metric_wire_bytes", row.metricWireBytes);
    visit("buffer_wire_bytes", row.bufferWireBytes);
    visit("weights_hash", row.weightsHash);
    // Version 2; at the end, so that the bits of nan_columns keep their meaning.
    visit("size_wire_bytes", row.sizeWireBytes);
}

template <RowOf<LayerEpochRow> Row, typename Visit>
void visitFields(Row& row, Visit&& visit) {
    visit("epoch", row.epoch);
    visit("layer", row.layer);
    visit("norm", row.norm);
    visit("level", row.level);
    visit("effective_level", row.effectiveLevel);
    visit("payload_bytes", row.payloadBytes);
    visit("wire_bytes", row.wireBytes);
    visit("dense_fp32_wire_bytes", row.denseFp32WireBytes);
    visit("strongest_wire_bytes", row.strongestWireBytes);
    visit("mildest_wire_bytes", row.mildestWireBytes);
}

template <RowOf<Decision> Row, typename Visit>
void visitFields(Row& row, Visit&& visit) {
    visit("epoch", row.epoch);
    visit("layer", row.layer);
    visit("level", row.level);
    visit("reason", row.reason);
    visit("norm", row.norm);
    visit("previous_norm", row.previousNorm);
    visit("norm_epoch", row.normEpoch);
    visit("previous_epoch", row.previousEpoch);
    visit("ratio", row.ratio);
    visit("eta", row.eta);
}

template <RowOf<EventRow> Row, typename Visit>
void visitFields(Row& row, Visit&& visit) {
    visit("time_ms", row.timeMs);
    visit("step", row.step);
    visit("epoch", row.epoch);
    visit("rank", row.rank);
    visit("layer", row.layer);
    visit("kind", row.kind);
    visit("message", row.message);
}

}  // namespace concertina
