// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/describe.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/catalogue/catalogue.h"
#include "core/catalogue/check.h"

namespace concertina {
namespace {

using Json = nlohmann::ordered_json;

Json jsonOf(const Value& value) {
    return std::visit([](const auto& held) { return Json(held); }, value);
}

Json jsonOf(const Settings& settings) {
    Json object = Json::object();
    for (const auto& [name, value] : settings) {
        object[name] = jsonOf(value);
    }
    return object;
}

Json jsonOf(const Parameter& parameter) {
    Json json{{"name", parameter.name},
              {"type", toText(parameter.type)},
              {"unit", parameter.unit},
              {"default", jsonOf(parameter.defaultValue)},
              {"min", parameter.min ? Json(*parameter.min) : Json()},
              {"max", parameter.max ? Json(*parameter.max) : Json()},
              {"min_exclusive", parameter.minExclusive},
              {"summary", parameter.summary}};
    if (parameter.type == ParameterType::Choice) {
        json["choices"] = parameter.choices;
    }
    return json;
}

Json jsonOf(std::span<const Parameter> parameters) {
    Json list = Json::array();
    for (const Parameter& parameter : parameters) {
        list.push_back(jsonOf(parameter));
    }
    return list;
}

Json jsonOf(const CompressorDescriptor& compressor) {
    Json parameters = jsonOf(compressor.levelParameters);
    for (Json& parameter : parameters) {
        parameter["per_level"] = true;
    }
    for (const Parameter& parameter : compressParametersOf(compressor)) {
        parameters.push_back(jsonOf(parameter));
        parameters.back()["per_level"] = false;
    }
    Json levels = Json::array();
    for (const Settings& level : compressor.defaultLevels) {
        levels.push_back(jsonOf(level));
    }
    return {{"name", compressor.name},
            {"summary", compressor.summary},
            {"parameters", parameters},
            {"biased", compressor.biased},
            {"linear", compressor.linear},
            {"deterministic", compressor.deterministic},
            {"needs_error_feedback", compressor.needsErrorFeedback},
            {"refuses_error_feedback", compressor.refusesErrorFeedback},
            {"byte_formula", compressor.byteFormula},
            {"default_levels", levels}};
}

Json jsonOf(const PolicyDescriptor& policy) {
    return {{"name", policy.name},
            {"summary", policy.summary},
            {"parameters", jsonOf(policy.parameters)},
            {"signals", policy.signals},
            {"min_levels", policy.minLevels}};
}

Json jsonOf(const ModelDescriptor& model) {
    return {{"name", model.name},
            {"summary", model.summary},
            {"parameters", jsonOf(model.parameters)},
            {"default_dataset", model.defaultDataset},
            {"parameter_count", model.parameterCount}};
}

Json jsonOf(const DatasetDescriptor& dataset) {
    return {{"name", dataset.name},
            {"summary", dataset.summary},
            {"parameters", jsonOf(dataset.parameters)},
            {"task", toText(dataset.form.task)},
            {"input_shape", dataset.form.inputShape},
            {"classes", dataset.form.outputs},
            {"train_samples", dataset.form.trainSamples},
            {"test_samples", dataset.form.testSamples}};
}

Json jsonOf(const MetricDescriptor& metric) {
    return {{"name", metric.name},
            {"summary", metric.summary},
            {"parameters", Json::array()},
            {"unit", metric.unit},
            {"better", metric.better}};
}

template <typename Row>
Json listOf(std::span<const Row> rows) {
    Json list = Json::array();
    for (const Row& row : rows) {
        list.push_back(jsonOf(row));
    }
    return list;
}

std::string parameterLines(std::span<const Parameter> parameters, const std::string& prefix = "") {
    std::string text;
    for (const Parameter& parameter : parameters) {
        const std::string unit =
            parameter.unit.empty() || parameter.unit == "1" ? "" : " [" + parameter.unit + "]";
        text += fmt::format("      {:<24} default {}: {}{}\n          {}\n",
                            prefix + parameter.name, toText(parameter.defaultValue),
                            allowedText(parameter), unit, parameter.summary);
    }
    return text;
}

std::string headLine(const std::string& name, const std::string& summary) {
    return fmt::format("  {:<22} {}\n", name, summary);
}

/// "biased, sums in compressed form, needs error feedback".
std::string propertyText(const CompressorDescriptor& compressor) {
    std::vector<std::string> properties{compressor.biased ? "biased" : "unbiased"};
    if (compressor.linear) {
        properties.emplace_back("sums in compressed form");
    }
    if (!compressor.deterministic) {
        properties.emplace_back("random");
    }
    if (compressor.needsErrorFeedback) {
        properties.emplace_back("needs error feedback");
    }
    if (compressor.refusesErrorFeedback) {
        properties.emplace_back("refuses error feedback");
    }
    return join(properties);
}

std::string compressorText() {
    std::string text =
        "COMPRESSORS (payload bytes per rank and step of an n-element or n x m tensor)\n";
    for (const CompressorDescriptor& compressor : compressors()) {
        text += headLine(compressor.name, compressor.summary);
        text += fmt::format("      payload bytes: {}\n      {}\n", compressor.byteFormula,
                            propertyText(compressor));
        text += parameterLines(compressor.levelParameters, "levels: ") +
                parameterLines(compressor.options);
    }
    return text;
}

std::string sectionText(const char* table, std::span<const Parameter> parameters) {
    return fmt::format("[{}]\n{}", table, parameterLines(parameters));
}

}  // namespace

std::string describeJson() {
    return Json{{"compressors", listOf(compressors())},
                {"policies", listOf(policies())},
                {"models", listOf(models())},
                {"datasets", listOf(datasets())},
                {"metrics", listOf(metrics())},
                {"spec",
                 {{"general", jsonOf(generalParameters())},
                  {"train", jsonOf(trainParameters())},
                  {"ranks", jsonOf(ranksParameters())},
                  {"compress", jsonOf(compressParameters())},
                  {"link", jsonOf(linkParameters())}}}}
        .dump(2);
}

std::string describeText() {
    std::string text = compressorText() + "\nPOLICIES\n";
    for (const PolicyDescriptor& policy : policies()) {
        text += headLine(policy.name, policy.summary) + parameterLines(policy.parameters);
    }
    text += "\nMODELS\n";
    for (const ModelDescriptor& model : models()) {
        text += headLine(model.name, fmt::format("{} ({} parameters on {})", model.summary,
                                                 model.parameterCount, model.defaultDataset));
        text += parameterLines(model.parameters);
    }
    text += "\nDATA SETS\n";
    for (const DatasetDescriptor& dataset : datasets()) {
        const DataForm& form = dataset.form;
        text += headLine(dataset.name, form.trainSamples == 0
                                           ? dataset.summary
                                           : fmt::format("{} ({} + {} samples)", dataset.summary,
                                                         form.trainSamples, form.testSamples));
        text += parameterLines(dataset.parameters);
    }
    text += "\nMETRICS\n";
    for (const MetricDescriptor& metric : metrics()) {
        text += headLine(metric.name, fmt::format("{} [{}]", metric.summary, metric.unit));
    }
    return text + "\nSPEC\n" + parameterLines(generalParameters()) +
           sectionText("train", trainParameters()) + sectionText("ranks", ranksParameters()) +
           sectionText("compress", compressParameters()) + sectionText("link", linkParameters());
}

}  // namespace concertina
