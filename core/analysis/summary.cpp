// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/summary.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/analysis/totals.h"
#include "core/catalogue/catalogue.h"

namespace concertina {
namespace {

using Json = nlohmann::ordered_json;

/// Adds a number, as an integer where it is one; what is not finite goes to "non_finite".
void addNumber(Json& object, const char* key, std::optional<double> value) {
    constexpr double kExactIntegers = 0x1p53;
    if (!value) {
        object[key] = nullptr;
    } else if (!std::isfinite(*value)) {
        object[key] = nullptr;
        object["non_finite"][key] = std::isnan(*value) ? "nan" : *value > 0 ? "inf" : "-inf";
    } else if (*value == std::floor(*value) && std::abs(*value) < kExactIntegers) {
        object[key] = static_cast<std::int64_t>(*value);
    } else {
        object[key] = *value;
    }
}

Json toJson(const RunSummary::NamedDecision& named) {
    const Decision& decision = named.decision;
    Json object;
    object["epoch"] = decision.epoch;
    object["layer"] = named.layer;
    object["level"] = decision.level;
    object["reason"] = toText(decision.reason);
    addNumber(object, "norm", decision.norm);
    addNumber(object, "previous_norm", decision.previousNorm);
    addNumber(object, "ratio", decision.ratio);
    addNumber(object, "eta", decision.eta);
    return object;
}

/// Text from a store may hold bytes that are no UTF-8; a summary line must come out nevertheless.
std::string dump(const Json& object) {
    return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::optional<double> testPerplexity(const RunRow& run) {
    const DatasetDescriptor* data = findDataset(run.dataset);
    if (data == nullptr || data->form.task != Task::Tokens || !run.testLoss) {
        return std::nullopt;
    }
    return std::exp(*run.testLoss);
}

RunSummary summarize(const RunRow& run,
                     std::span<const LayerRow> layers,
                     std::span<const Decision> decisions) {
    RunSummary summary;
    summary.id = run.id;
    summary.name = run.name;
    summary.status = run.status;
    summary.reason = run.reason;
    summary.epochs = run.epochsDone;
    summary.testAccuracy = run.testAccuracy;
    summary.testLoss = run.testLoss;
    summary.testPerplexity = testPerplexity(run);
    summary.wireBytes = run.wireBytes;
    summary.payloadBytes = run.payloadBytes;
    summary.denseFp32WireBytes = run.denseFp32WireBytes;
    summary.decisionWireBytes = run.decisionWireBytes;
    summary.ratio = wireRatio(run);
    summary.mildShare = run.mildShare;
    summary.weightsHash = run.weightsHash;
    summary.trainSeconds = run.trainSeconds;
    summary.ranks = run.ranks;
    summary.device = run.device;
    summary.backend = run.backend;
    for (const Decision& decision : decisions) {
        summary.decisions.push_back({decision, layerName(layers, decision.layer)});
    }
    return summary;
}

std::string summaryJson(const RunSummary& summary) {
    Json object;
    object["event"] = "summary";
    object["run"] = summary.id;
    object["name"] = summary.name;
    object["status"] = toText(summary.status);
    object["reason"] = summary.reason;
    object["epochs"] = summary.epochs;
    addNumber(object, "test_accuracy", summary.testAccuracy);
    addNumber(object, "test_loss", summary.testLoss);
    if (summary.testPerplexity) {
        addNumber(object, "test_perplexity", summary.testPerplexity);
    }
    addNumber(object, "wire_bytes", summary.wireBytes);
    addNumber(object, "payload_bytes", summary.payloadBytes);
    addNumber(object, "dense_fp32_wire_bytes", summary.denseFp32WireBytes);
    addNumber(object, "decision_wire_bytes", summary.decisionWireBytes);
    addNumber(object, "ratio", summary.ratio);
    addNumber(object, "mild_share", summary.mildShare);
    object["decisions"] = Json::array();
    for (const RunSummary::NamedDecision& decision : summary.decisions) {
        object["decisions"].push_back(toJson(decision));
    }
    object["weights_hash"] = summary.weightsHash;
    addNumber(object, "train_seconds", summary.trainSeconds);
    object["ranks"] = summary.ranks;
    object["device"] = summary.device;
    object["backend"] = summary.backend;
    return dump(object);
}

std::string decisionJson(const std::string& runId, const RunSummary::NamedDecision& decision) {
    Json object;
    object["event"] = "decision";
    object["run"] = runId;
    object.update(toJson(decision));
    return dump(object);
}

}  // namespace concertina
