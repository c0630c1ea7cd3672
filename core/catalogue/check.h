// SPDX-License-Identifier: Apache-2.0
// Holds a value against its parameter. Used by the spec's validation and, field by field, by the
// workbench's form. Pure.
#pragma once
#include <optional>
#include <string>

#include "core/catalogue/catalogue.h"

namespace concertina {

/// "a real number above 0 and at most 1", "one of auto, cpu, cuda": what a parameter accepts, for
/// sentences.
std::string allowedText(const Parameter& parameter);

/// Longest list and longest text any parameter accepts: a spec is written by people, and files may
/// be hostile.
constexpr std::size_t kMaxListItems = 1000;
constexpr std::size_t kMaxTextBytes = 4096;

/// What is wrong with the value ("found -1.0, allowed: ..."), or nothing.
std::optional<std::string> problemOf(const Parameter& parameter, const Value& value);

/// Every parameter at its default.
Settings defaultsOf(std::span<const Parameter> parameters);

/// "boolean", "integer", "real", "text", "choice", "integer-list", "real-list".
const char* toText(ParameterType type);

}  // namespace concertina
