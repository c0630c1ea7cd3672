// SPDX-License-Identifier: Apache-2.0
#include "app/study_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "app/output.h"
#include "core/analysis/seed_statistics.h"
#include "core/analysis/totals.h"
#include "core/base/units.h"

namespace concertina {
namespace {

using Json = nlohmann::ordered_json;

struct VariantResult {
    std::string variant;
    int trials = 0, done = 0;
    MeanSpread accuracy{}, sentBytes{}, ratio{}, mildShare{}, seconds{};
};

using Measure = std::function<std::optional<double>(const RunRow&)>;

MeanSpread over(std::span<const TrialResult> results,
                const std::string& variant,
                const Measure& measure) {
    std::vector<double> values;
    for (const TrialResult& result : results) {
        if (result.variant == variant && result.run.status == RunStatus::Done) {
            if (const auto value = measure(result.run); value && std::isfinite(*value)) {
                values.push_back(*value);
            }
        }
    }
    return meanSpread(values);
}

std::vector<VariantResult> byVariant(std::span<const TrialResult> results) {
    std::vector<VariantResult> variants;
    for (const TrialResult& result : results) {
        auto found = std::find_if(variants.begin(), variants.end(), [&](const auto& other) {
            return other.variant == result.variant;
        });
        if (found == variants.end()) {
            found = variants.insert(variants.end(), VariantResult{.variant = result.variant});
        }
        found->trials += 1;
        found->done += result.run.status == RunStatus::Done ? 1 : 0;
    }
    for (VariantResult& row : variants) {
        row.accuracy =
            over(results, row.variant, [](const RunRow& run) { return run.testAccuracy; });
        row.sentBytes =
            over(results, row.variant, [](const RunRow& run) { return totalsOf(run).sentBytes; });
        row.ratio = over(results, row.variant,
                         [](const RunRow& run) { return totalsOf(run).ratioToFp32(); });
        row.mildShare = over(results, row.variant, [](const RunRow& run) { return run.mildShare; });
        row.seconds =
            over(results, row.variant, [](const RunRow& run) { return run.trainSeconds; });
    }
    return variants;
}

std::string cell(const MeanSpread& value, const std::function<std::string(double)>& text) {
    if (value.count == 0) {
        return "-";
    }
    return value.count == 1 ? text(value.mean) : text(value.mean) + " ± " + text(value.spread);
}

Json jsonOf(const MeanSpread& value) {
    if (value.count == 0) {
        return nullptr;
    }
    return {{"mean", value.mean}, {"spread", value.spread}, {"count", value.count}};
}

}  // namespace

std::string studyTable(std::span<const TrialResult> results) {
    TextTable table({"variant", "accuracy", "sent/rank", "vs fp32", "mild", "time", "done"});
    for (const VariantResult& row : byVariant(results)) {
        table.addRow(
            {row.variant, cell(row.accuracy, [](double value) { return numberText(value); }),
             cell(row.sentBytes, formatBytes),
             cell(row.ratio, [](double value) { return timesText(value); }),
             cell(row.mildShare, [](double value) { return fmt::format("{:.0f} %", value * 100); }),
             cell(row.seconds, formatDuration), fmt::format("{}/{}", row.done, row.trials)});
    }
    return table.text();
}

std::string studyJson(const std::string& study, std::span<const TrialResult> results) {
    Json rows = Json::array();
    for (const VariantResult& row : byVariant(results)) {
        rows.push_back({{"variant", row.variant},
                        {"trials", row.trials},
                        {"done", row.done},
                        {"test_accuracy", jsonOf(row.accuracy)},
                        {"sent_bytes", jsonOf(row.sentBytes)},
                        {"ratio", jsonOf(row.ratio)},
                        {"mild_share", jsonOf(row.mildShare)},
                        {"train_seconds", jsonOf(row.seconds)}});
    }
    Json trials = Json::array();
    for (const TrialResult& result : results) {
        trials.push_back({{"variant", result.variant},
                          {"seed", result.run.seed},
                          {"run", result.run.id},
                          {"status", toText(result.run.status)},
                          {"reason", result.run.reason},
                          {"skipped", result.skipped}});
    }
    return Json{{"event", "table"}, {"study", study}, {"rows", rows}, {"trials", trials}}.dump(
        -1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace concertina
