// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/base/check.h"
#include "core/base/text.h"
#include "core/catalogue/catalogue.h"
#include "core/spec/run_spec.h"

namespace concertina {
namespace {

/// A TOML basic string. Control characters never get here: validation refuses them.
std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char letter : text) {
        result += letter == '"' || letter == '\\' ? std::string{'\\', letter} : std::string{letter};
    }
    return result + "\"";
}

std::string tomlOf(const Value& value) {
    const auto* text = std::get_if<std::string>(&value);
    return text != nullptr ? quoted(*text) : toText(value);
}

/// "key = value" for each setting, in the catalogue's order.
std::vector<std::string> linesOf(const Settings& settings,
                                 std::span<const Parameter> parameters,
                                 bool all) {
    std::vector<std::string> lines;
    for (const Parameter& parameter : parameters) {
        const auto found = settings.find(parameter.name);
        if (found != settings.end() && (all || found->second != parameter.defaultValue)) {
            lines.push_back(fmt::format("{} = {}", parameter.name, tomlOf(found->second)));
        }
    }
    return lines;
}

std::string tableText(const std::string& name, const std::vector<std::string>& lines) {
    return fmt::format("\n[{}]\n{}{}", name, join(lines, "\n"), lines.empty() ? "" : "\n");
}

template <typename Row>
std::string choiceText(const std::string& table, const Choice& choice, const Row* row, bool all) {
    CONCERTINA_CHECK(row != nullptr, "nothing in the catalogue is called '" + choice.name + "'");
    std::vector<std::string> lines = linesOf(choice.options, row->parameters, all);
    lines.insert(lines.begin(), "name = " + quoted(choice.name));
    return tableText(table, lines);
}

std::string compressText(const RunSpec& spec, bool all) {
    const CompressorDescriptor* compressor = findCompressor(spec.compress.name);
    CONCERTINA_CHECK(compressor != nullptr, "no compressor '" + spec.compress.name + "'");
    std::vector<std::string> lines{"name = " + quoted(spec.compress.name)};
    if (!compressor->levelParameters.empty()) {
        std::vector<std::string> levels;
        for (const Settings& level : spec.levels) {
            levels.push_back("{ " + join(linesOf(level, compressor->levelParameters, true)) + " }");
        }
        lines.push_back("levels = [" + join(levels) + "]");
    }
    const std::vector<std::string> more =
        linesOf(spec.compress.options, compressParametersOf(*compressor), all);
    lines.insert(lines.end(), more.begin(), more.end());
    return tableText("compress", lines);
}

}  // namespace

std::string toToml(const RunSpec& spec, bool all) {
    std::string text = fmt::format("name = {}\nseed = {}\n", quoted(spec.name), spec.seed);
    text += choiceText("data", spec.data, findDataset(spec.data.name), all);
    text += choiceText("model", spec.model, findModel(spec.model.name), all);
    const auto section = [&text, all](const char* name, const Settings& settings,
                                      std::span<const Parameter> known) {
        const std::vector<std::string> lines = linesOf(settings, known, all);
        text += lines.empty() ? "" : tableText(name, lines);
    };
    section("train", spec.train, trainParameters());
    section("ranks", spec.ranks, ranksParameters());
    text += compressText(spec, all);
    text += choiceText("policy", spec.policy, findPolicy(spec.policy.name), all);
    if (spec.link) {
        text += tableText("link", linesOf(*spec.link, linkParameters(), all));
    }
    return text;
}

}  // namespace concertina
