// SPDX-License-Identifier: Apache-2.0
// A suggestion for a mistyped word of the command line. Pure.
#pragma once
#include <span>
#include <string>

namespace concertina {

/// "; did you mean NAME?" for the known word nearest to `word`, or "" when none is within two
/// letters. Short words with two letters swapped ("rnu") count, unlike in nearestName(), because
/// nothing is lost by a wrong guess here.
std::string didYouMean(const std::string& word, std::span<const std::string> known);

}  // namespace concertina
