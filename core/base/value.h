// SPDX-License-Identifier: Apache-2.0
// Value and Settings: a parameter's value and a validated set of them ("rank" -> 4). Specs, levels
// and forms are made of these; the catalogue says which names exist and what they may hold. Plain
// data, any thread.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace concertina {

using Value = std::variant<bool,
                           std::int64_t,
                           double,
                           std::string,
                           std::vector<std::int64_t>,
                           std::vector<double>>;
using Settings = std::map<std::string, Value>;

/// The value under `name`. REQUIRES: present with that type (the catalogue filled defaults in),
/// else std::logic_error. realOf accepts an integer value.
bool booleanOf(const Settings& settings, const std::string& name);
std::int64_t integerOf(const Settings& settings, const std::string& name);
double realOf(const Settings& settings, const std::string& name);
const std::string& textOf(const Settings& settings, const std::string& name);
const std::vector<std::int64_t>& integersOf(const Settings& settings, const std::string& name);

/// "4", "0.01", "true", "[15, 24]": as TOML writes it, but text without quotes. Reals in the
/// shortest form that reads back equal.
std::string toText(const Value& value);
/// "rank 4" or "ratio 0.01": how a level is shown; several parameters are joined by ", "; "" for
/// none.
std::string toText(const Settings& settings);

}  // namespace concertina
