// SPDX-License-Identifier: Apache-2.0
// Text helpers for sentences and tables: joining names, the nearest known name, safe
// excerpts. Numbers for people are in units.h. Pure, any thread.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace concertina {

/// "a, b, c".
std::string join(std::span<const std::string> parts, std::string_view separator = ", ");

/// The parts between blanks: "a  b" is a and b.
std::vector<std::string> words(std::string_view text);

/// Whether the pattern covers the whole text: * stands for any letters or none, ? for one. Cost: at
/// most the product of both lengths.
bool matchesPattern(std::string_view text, std::string_view pattern);

/// Letters to insert, delete or replace until `a` is `b`. Cost: the product of both lengths.
std::size_t editDistance(std::string_view a, std::string_view b);

/// The candidate a user most likely meant by `name`: at most a third of its letters away (and
/// always one), else "". The first of equally near ones.
std::string nearestName(std::string_view name, std::span<const std::string> candidates);

/// At most `maxBytes` of it, unprintable bytes as "?", with "..." where something was cut: quotes
/// hostile input safely.
std::string excerpt(std::string_view text, std::size_t maxBytes = 60);

/// Whether it is well-formed UTF-8 (no overlong forms, no surrogates, nothing above U+10FFFF).
bool isUtf8(std::string_view text);

}  // namespace concertina
