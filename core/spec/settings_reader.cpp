// SPDX-License-Identifier: Apache-2.0
#include "core/spec/settings_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/base/text.h"
#include "core/catalogue/check.h"

namespace concertina {
namespace {

/// The node as a value of the parameter's type; nothing where it can never be one.
std::optional<Value> toValue(const Node& node, ParameterType type) {
    if (const auto* boolean = std::get_if<bool>(&node.value)) {
        return *boolean;
    }
    if (const auto* integer = std::get_if<std::int64_t>(&node.value)) {
        return type == ParameterType::Real ? Value(static_cast<double>(*integer)) : Value(*integer);
    }
    if (const auto* real = std::get_if<double>(&node.value)) {
        return *real;
    }
    if (const auto* text = std::get_if<std::string>(&node.value)) {
        return *text;
    }
    if (node.items() == nullptr) {
        return std::nullopt;
    }
    std::vector<std::int64_t> integers;
    std::vector<double> reals;
    for (const Node& item : *node.items()) {
        if (const auto* integer = std::get_if<std::int64_t>(&item.value)) {
            integers.push_back(*integer);
            reals.push_back(static_cast<double>(*integer));
        } else if (const auto* real = std::get_if<double>(&item.value);
                   real != nullptr && type == ParameterType::RealList) {
            reals.push_back(*real);
        } else {
            return std::nullopt;
        }
    }
    return type == ParameterType::RealList ? Value(reals) : Value(integers);
}

std::string dotted(const std::string& prefix, const std::string& name) {
    return prefix.empty() ? name : prefix + "." + name;
}

}  // namespace

void SettingsReader::add(int line, const std::string& key, const std::string& sentence) {
    const std::string source = line == kOverrideLine ? " (given by --set)" : "";
    mistakes_.push_back({std::max(0, line), excerpt(key, 200), sentence + source});
}

int SettingsReader::lineOf(const std::string& tableName, const std::string& key) const {
    const auto found = root_.members()->find(tableName);
    if (found == root_.members()->end()) {
        return 0;
    }
    const Node& node = found->second;
    const bool given = node.members() != nullptr && node.members()->contains(key);
    return given ? node.members()->at(key).line : node.line;
}

bool SettingsReader::isClean(std::initializer_list<std::string> keys) const {
    return std::none_of(mistakes_.begin(), mistakes_.end(), [&keys](const SpecMistake& mistake) {
        return std::any_of(keys.begin(), keys.end(), [&mistake](const std::string& key) {
            return mistake.key.starts_with(key);
        });
    });
}

const Node::Members& SettingsReader::table(const std::string& name) {
    static const Node::Members kEmpty;
    const auto found = root_.members()->find(name);
    if (found == root_.members()->end()) {
        return kEmpty;
    }
    if (found->second.members() == nullptr) {
        if (isClean({name})) {
            add(found->second.line, name,
                fmt::format("found {}, expected a table [{}]", foundText(found->second), name));
        }
        return kEmpty;
    }
    return *found->second.members();
}

Value SettingsReader::value(const Node& node, const std::string& key, const Parameter& parameter) {
    const std::optional<Value> found = toValue(node, parameter.type);
    std::optional<std::string> problem =
        found ? problemOf(parameter, *found)
              : fmt::format("found {}, allowed: {}", foundText(node), allowedText(parameter));
    if (!problem) {
        return *found;
    }
    if (const auto* text = std::get_if<std::string>(&node.value);
        text != nullptr && !parameter.choices.empty()) {
        const std::string nearest = nearestName(*text, parameter.choices);
        *problem += nearest.empty() ? "" : "; did you mean " + nearest + "?";
    }
    add(node.line, key, *problem);
    return parameter.defaultValue;
}

Settings SettingsReader::parameters(const Node::Members& members,
                                    const std::string& prefix,
                                    std::span<const Parameter> known,
                                    std::vector<std::string> otherKeys) {
    Settings settings = defaultsOf(known);
    for (const Parameter& parameter : known) {
        if (const auto found = members.find(parameter.name); found != members.end()) {
            settings[parameter.name] =
                value(found->second, dotted(prefix, parameter.name), parameter);
        }
    }
    const std::vector<std::string> names = namesOf(known);
    otherKeys.insert(otherKeys.end(), names.begin(), names.end());
    for (const auto& [name, node] : members) {
        if (std::find(otherKeys.begin(), otherKeys.end(), name) == otherKeys.end()) {
            unknownKey(node.line, dotted(prefix, name), name, otherKeys);
        }
    }
    return settings;
}

void SettingsReader::unknownKey(int line,
                                const std::string& key,
                                const std::string& name,
                                const std::vector<std::string>& known) {
    const std::string nearest = nearestName(name, known);
    const std::string hint = nearest.empty() ? "" : "; did you mean " + nearest + "?";
    add(line, key,
        known.empty() ? "unknown key; none is allowed here"
                      : fmt::format("unknown key, allowed: {}{}", join(known), hint));
}

}  // namespace concertina
