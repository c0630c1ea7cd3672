// SPDX-License-Identifier: Apache-2.0
#include "app/run_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/analysis/summary.h"
#include "core/analysis/totals.h"

namespace concertina {
namespace {

using Json = nlohmann::ordered_json;

Json number(std::optional<double> value) {
    return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

/// Text of a store may hold bytes that are no UTF-8; the line must come out nevertheless.
std::string dump(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json objectOf(const RunRow& run) {
    const ByteTotals totals = totalsOf(run);
    return {{"run", run.id},
            {"name", run.name},
            {"status", toText(run.status)},
            {"reason", run.reason},
            {"study", run.study},
            {"variant", run.variant},
            {"seed", run.seed},
            {"spec_hash", run.specHash},
            {"model", run.model},
            {"dataset", run.dataset},
            {"compressor", run.compressor},
            {"policy", run.policy},
            {"ranks", run.ranks},
            {"device", run.device},
            {"backend", run.backend},
            {"epochs", run.epochsDone},
            {"epochs_planned", run.epochsPlanned},
            {"steps", run.stepsDone},
            {"test_accuracy", number(run.testAccuracy)},
            {"test_loss", number(run.testLoss)},
            {"test_perplexity", number(testPerplexity(run))},
            {"wire_bytes", number(run.wireBytes)},
            {"payload_bytes", number(run.payloadBytes)},
            {"dense_fp32_wire_bytes", number(run.denseFp32WireBytes)},
            {"decision_wire_bytes", number(run.decisionWireBytes)},
            {"ratio", number(wireRatio(run))},
            {"ratio_fp16", run.ranks > 1 ? number(totals.ratioToFp16()) : Json(nullptr)},
            {"mild_share", number(run.mildShare)},
            {"train_seconds", number(run.trainSeconds)},
            {"weights_hash", run.weightsHash},
            {"exit_code", run.exitCode ? Json(*run.exitCode) : Json(nullptr)},
            {"created_ms", run.createdMs},
            {"started_ms", run.startedMs},
            {"finished_ms", run.finishedMs},
            {"log_file", run.logFile},
            {"dropped_points", run.droppedPoints}};
}

Json objectOf(const EpochRow& row) {
    return {{"epoch", row.epoch},
            {"train_loss", number(row.trainLoss)},
            {"test_loss", number(row.testLoss)},
            {"test_accuracy", number(row.testAccuracy)},
            {"learning_rate", number(row.learningRate)},
            {"train_seconds", number(row.trainSeconds)},
            {"epoch_seconds", number(row.epochSeconds)},
            {"steps", row.steps},
            {"wire_bytes", number(row.wireBytes)},
            {"payload_bytes", number(row.payloadBytes)},
            {"dense_fp32_wire_bytes", number(row.denseFp32WireBytes)},
            {"decision_wire_bytes", number(row.decisionWireBytes)},
            {"control_wire_bytes", number(row.controlWireBytes)},
            {"metric_wire_bytes", number(row.metricWireBytes)},
            {"buffer_wire_bytes", number(row.bufferWireBytes)},
            {"size_wire_bytes", number(row.sizeWireBytes)},
            {"weights_hash", row.weightsHash}};
}

Json objectOf(const EventRow& event) {
    return {{"time_ms", event.timeMs}, {"kind", event.kind},   {"message", event.message},
            {"rank", event.rank},      {"epoch", event.epoch}, {"step", event.step},
            {"layer", event.layer}};
}

Json objectOf(const Decision& decision, const std::string& layer) {
    return {{"epoch", decision.epoch},         {"layer", layer},
            {"level", decision.level},         {"reason", toText(decision.reason)},
            {"norm", number(decision.norm)},   {"previous_norm", number(decision.previousNorm)},
            {"ratio", number(decision.ratio)}, {"eta", number(decision.eta)}};
}

Json objectOf(const ReplayTotals& totals) {
    const auto share = [&totals](int mild) {
        return totals.levelEpochs > 0 ? Json(static_cast<double>(mild) / totals.levelEpochs)
                                      : Json(nullptr);
    };
    return {{"recorded_mild_share", share(totals.recordedMildEpochs)},
            {"replayed_mild_share", share(totals.replayedMildEpochs)},
            {"recorded_bytes", number(totals.recordedBytes)},
            {"replayed_bytes", number(totals.replayedBytes)}};
}

Json objectOf(const LevelDifference& difference, const std::string& layer) {
    return {{"from_epoch", difference.epochs.from},
            {"to_epoch", difference.epochs.to},
            {"layer", layer},
            {"recorded_level", difference.recordedLevel},
            {"recorded_reason",
             difference.recordedReason ? Json(toText(*difference.recordedReason)) : Json(nullptr)},
            {"replayed_level", difference.replayedLevel},
            {"replayed_reason", toText(difference.decision.reason)}};
}

Json event(const char* name, const std::string& runId, const Json& fields) {
    Json json{{"event", name}, {"run", runId}};
    json.update(fields);
    return json;
}

Json difference(std::optional<double> value, std::optional<double> base) {
    return value && base ? number(*value - *base) : Json(nullptr);
}

}  // namespace

std::string startJson(const RunRow& run) {
    return dump(event("start", run.id,
                      {{"name", run.name},
                       {"ranks", run.ranks},
                       {"device", run.device},
                       {"backend", run.backend},
                       {"epochs", run.epochsPlanned},
                       {"seed", run.seed},
                       {"study", run.study},
                       {"variant", run.variant},
                       {"spec_hash", run.specHash}}));
}

std::string epochJson(const std::string& runId, const EpochRow& row) {
    return dump(event("epoch", runId, objectOf(row)));
}

std::string alertJson(const std::string& runId, const EventRow& row) {
    return dump(event("alert", runId, objectOf(row)));
}

std::string runsJson(std::span<const RunRow> runs) {
    Json array = Json::array();
    for (const RunRow& run : runs) {
        array.push_back(objectOf(run));
    }
    return dump(array);
}

std::string compareJson(std::span<const RunRow> runs, const RunRow& baseline) {
    Json array = Json::array();
    for (const RunRow& run : runs) {
        Json object = objectOf(run);
        object["baseline"] = baseline.id;
        object["difference"] = {
            {"test_accuracy", difference(run.testAccuracy, baseline.testAccuracy)},
            {"test_loss", difference(run.testLoss, baseline.testLoss)},
            {"wire_bytes", difference(run.wireBytes, baseline.wireBytes)},
            {"train_seconds", difference(run.trainSeconds, baseline.trainSeconds)}};
        array.push_back(std::move(object));
    }
    return dump(array);
}

std::string showJson(RunReader& reader, const RunRow& run) {
    Json object = objectOf(run);
    object["spec"] = Json::parse(run.specJson, nullptr, false);
    std::vector<std::string> names;
    object["layers"] = Json::array();
    for (const LayerRow& layer : reader.layers(run.id)) {
        names.push_back(layer.name);
        object["layers"].push_back(
            {{"name", layer.name}, {"shape", layer.shape}, {"compressible", layer.compressible}});
    }
    const auto nameOf = [&](int layer) {
        return layer >= 0 && layer < static_cast<int>(names.size()) ? names[layer]
                                                                    : std::to_string(layer);
    };
    object["epoch_rows"] = Json::array();
    for (const EpochRow& row : reader.epochs(run.id)) {
        object["epoch_rows"].push_back(objectOf(row));
    }
    object["decisions"] = Json::array();
    for (const Decision& decision : reader.decisions(run.id)) {
        object["decisions"].push_back(objectOf(decision, nameOf(decision.layer)));
    }
    object["events"] = Json::array();
    for (const EventRow& row : reader.events(run.id)) {
        object["events"].push_back(objectOf(row));
    }
    return dump(object);
}

std::string replayJson(const RunRow& run,
                       const RunSpec& spec,
                       std::span<const LayerRow> layers,
                       const Replay& replay) {
    const auto first = replay.firstDifference();
    Json object{{"run", run.id},
                {"name", run.name},
                {"policy", Json::parse(toJson(spec)).at("policy")},
                {"epochs", replay.epochs},
                {"bytes", replay.basis == ByteBasis::Wire ? "wire" : "payload"},
                {"trained_again", false},
                {"exact_before_epoch", first ? Json(*first) : Json(nullptr)}};
    object.update(objectOf(replay.total));
    object["layers"] = Json::array();
    for (std::size_t layer = 0; layer < replay.layers.size(); ++layer) {
        Json row{{"name", layers[layer].name}};
        row.update(objectOf(replay.layers[layer]));
        object["layers"].push_back(std::move(row));
    }
    object["differences"] = Json::array();
    for (const LevelDifference& difference : replay.differences) {
        object["differences"].push_back(objectOf(difference, layerName(layers, difference.layer)));
    }
    object["decisions"] = Json::array();
    for (const Decision& decision : replay.decisions) {
        object["decisions"].push_back(objectOf(decision, layerName(layers, decision.layer)));
    }
    return dump(object);
}

}  // namespace concertina
