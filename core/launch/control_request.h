// SPDX-License-Identifier: Apache-2.0
// What a request of `concertina ctl` changes. Pure; the supervisor and OutsideRun call it.
#pragma once
#include <optional>
#include <string>

#include "core/launch/rank_board.h"
#include "core/store/records.h"

namespace concertina {

struct ControlEffect {
    Command command;
    RunStatus status;
};

/// Nothing where the request has no effect: `asked` is what was asked before, and who is stopping
/// does not pause.
std::optional<ControlEffect> effectOf(const std::string& verb, Command asked);

/// Whether effectOf() knows the verb at all.
bool isControlVerb(const std::string& verb);

}  // namespace concertina
