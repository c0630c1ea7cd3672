// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/check.h"
#include "core/base/text.h"

namespace concertina {
namespace {

/// 256 as "256", 0.5 as "0.5": limits are written as the user would.
std::string limitText(double limit) {
    const bool whole = std::abs(limit) < 1e15 && limit == std::floor(limit);
    return whole ? fmt::format("{:.0f}", limit) : toText(Value(limit));
}

std::string rangeText(const Parameter& parameter) {
    if (!parameter.min) {
        return parameter.max ? "at most " + limitText(*parameter.max) : "";
    }
    const std::string min = limitText(*parameter.min);
    if (!parameter.max) {
        return (parameter.minExclusive ? "above " : "at least ") + min;
    }
    const std::string max = limitText(*parameter.max);
    return parameter.minExclusive ? fmt::format("above {} and at most {}", min, max)
                                  : fmt::format("from {} to {}", min, max);
}

/// "an integer from 1 to 256".
std::string withRange(const char* noun, const Parameter& parameter) {
    const std::string range = rangeText(parameter);
    return range.empty() ? noun : fmt::format("{} {}", noun, range);
}

bool inRange(const Parameter& parameter, double value) {
    if (!std::isfinite(value)) {
        return false;
    }
    const bool aboveMin = !parameter.min || (parameter.minExclusive ? value > *parameter.min
                                                                    : value >= *parameter.min);
    return aboveMin && (!parameter.max || value <= *parameter.max);
}

/// Whether the value is one the parameter accepts, by the type it holds.
struct Accepts {
    const Parameter& parameter;

    bool operator()(bool /*value*/) const { return parameter.type == ParameterType::Boolean; }
    bool operator()(std::int64_t value) const {
        return parameter.type == ParameterType::Integer &&
               inRange(parameter, static_cast<double>(value));
    }
    bool operator()(double value) const {
        return parameter.type == ParameterType::Real && inRange(parameter, value);
    }
    bool operator()(const std::string& value) const {
        if (parameter.type == ParameterType::Choice) {
            return std::find(parameter.choices.begin(), parameter.choices.end(), value) !=
                   parameter.choices.end();
        }
        const bool printable = std::none_of(value.begin(), value.end(), [](char letter) {
            return static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f;
        });
        return parameter.type == ParameterType::Text && printable && isUtf8(value) &&
               !value.empty() && value.size() <= kMaxTextBytes;
    }
    bool operator()(const std::vector<std::int64_t>& values) const {
        return parameter.type == ParameterType::IntegerList && allInRange(values);
    }
    bool operator()(const std::vector<double>& values) const {
        return parameter.type == ParameterType::RealList && allInRange(values);
    }

 private:
    template <typename T>
    bool allInRange(const std::vector<T>& values) const {
        return values.size() <= kMaxListItems &&
               std::all_of(values.begin(), values.end(), [this](T value) {
                   return inRange(parameter, static_cast<double>(value));
               });
    }
};

std::string foundText(const Value& value) {
    const bool text = std::holds_alternative<std::string>(value);
    return text ? "\"" + excerpt(toText(value)) + "\"" : excerpt(toText(value));
}

}  // namespace

std::string allowedText(const Parameter& parameter) {
    switch (parameter.type) {
        case ParameterType::Boolean:
            return "true or false";
        case ParameterType::Integer:
            return withRange("an integer", parameter);
        case ParameterType::Real:
            return withRange("a number", parameter);
        case ParameterType::Text:
            return fmt::format("text of 1 to {} bytes without control characters", kMaxTextBytes);
        case ParameterType::Choice:
            return (parameter.choices.size() == 1 ? "only " : "one of ") + join(parameter.choices);
        case ParameterType::IntegerList:
            return fmt::format("a list of at most {} integers, each {}", kMaxListItems,
                               rangeText(parameter));
        case ParameterType::RealList:
            return fmt::format("a list of at most {} numbers, each {}", kMaxListItems,
                               rangeText(parameter));
    }
    CONCERTINA_CHECK(false, "parameter '" + parameter.name + "' has no type");
}

std::optional<std::string> problemOf(const Parameter& parameter, const Value& value) {
    if (std::visit(Accepts{parameter}, value)) {
        return std::nullopt;
    }
    return fmt::format("found {}, allowed: {}", foundText(value), allowedText(parameter));
}

Settings defaultsOf(std::span<const Parameter> parameters) {
    Settings settings;
    for (const Parameter& parameter : parameters) {
        settings.emplace(parameter.name, parameter.defaultValue);
    }
    return settings;
}

const char* toText(ParameterType type) {
    switch (type) {
        case ParameterType::Boolean:
            return "boolean";
        case ParameterType::Integer:
            return "integer";
        case ParameterType::Real:
            return "real";
        case ParameterType::Text:
            return "text";
        case ParameterType::Choice:
            return "choice";
        case ParameterType::IntegerList:
            return "integer-list";
        case ParameterType::RealList:
            return "real-list";
    }
    CONCERTINA_CHECK(false, "unknown parameter type");
}

}  // namespace concertina
