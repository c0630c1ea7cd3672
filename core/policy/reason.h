// SPDX-License-Identifier: Apache-2.0
// Why a layer trains at its level: the names in store and screen. Plain data, any thread.
#pragma once
#include <optional>
#include <string>

namespace concertina {

enum class Reason { Initial, Critical, Stable, LrDecay, ZeroNorm, NonFinite, Fixed, Manual };
/// "initial", "critical", "stable", "lr-decay", "zero-norm", "non-finite", "fixed", "manual".
const char* toText(Reason reason);
std::optional<Reason> reasonFromText(const std::string& text);

}  // namespace concertina
