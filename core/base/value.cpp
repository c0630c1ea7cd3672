// SPDX-License-Identifier: Apache-2.0
#include "core/base/value.h"

#include <charconv>
#include <cmath>

#include "core/base/check.h"

namespace concertina {
namespace {

const Value& valueOf(const Settings& settings, const std::string& name) {
    const auto found = settings.find(name);
    CONCERTINA_CHECK(found != settings.end(), "no setting '" + name + "'");
    return found->second;
}

template <typename T>
const T& get(const Settings& settings, const std::string& name) {
    const T* value = std::get_if<T>(&valueOf(settings, name));
    CONCERTINA_CHECK(value != nullptr, "setting '" + name + "' has another type");
    return *value;
}

std::string realToText(double value) {
    if (std::isnan(value)) {
        return "nan";
    }
    if (std::isinf(value)) {
        return value > 0 ? "inf" : "-inf";
    }
    // Shortest digits that read back equal; fixed notation where a reader expects it (0.0001, not
    // 1e-04).
    const double size = std::abs(value);
    const bool fixed = size == 0 || (size >= 1e-5 && size < 1e15);
    char buffer[64];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value,
                                   fixed ? std::chars_format::fixed : std::chars_format::scientific)
                         .ptr;
    std::string text(buffer, end);
    if (text.find_first_of(".e") == std::string::npos) {
        text += ".0";
    }
    return text;
}

struct TextOf {
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const { return realToText(value); }
    std::string operator()(const std::string& value) const { return value; }
    template <typename T>
    std::string operator()(const std::vector<T>& values) const {
        std::string text = "[";
        for (std::size_t i = 0; i < values.size(); ++i) {
            text += (i == 0 ? "" : ", ") + (*this)(values[i]);
        }
        return text + "]";
    }
};

}  // namespace

bool booleanOf(const Settings& settings, const std::string& name) {
    return get<bool>(settings, name);
}

std::int64_t integerOf(const Settings& settings, const std::string& name) {
    return get<std::int64_t>(settings, name);
}

double realOf(const Settings& settings, const std::string& name) {
    if (const auto* integer = std::get_if<std::int64_t>(&valueOf(settings, name))) {
        return static_cast<double>(*integer);
    }
    return get<double>(settings, name);
}

const std::string& textOf(const Settings& settings, const std::string& name) {
    return get<std::string>(settings, name);
}

const std::vector<std::int64_t>& integersOf(const Settings& settings, const std::string& name) {
    return get<std::vector<std::int64_t>>(settings, name);
}

std::string toText(const Value& value) { return std::visit(TextOf{}, value); }

std::string toText(const Settings& settings) {
    std::string text;
    for (const auto& [name, value] : settings) {
        text += (text.empty() ? "" : ", ") + name + " " + toText(value);
    }
    return text;
}

}  // namespace concertina
