// SPDX-License-Identifier: Apache-2.0
#include "core/launch/control_request.h"

namespace concertina {

bool isControlVerb(const std::string& verb) {
    return verb == "stop" || verb == "stop-after-epoch" || verb == "pause" || verb == "continue";
}

std::optional<ControlEffect> effectOf(const std::string& verb, Command asked) {
    const bool stopping = asked == Command::Stop || asked == Command::StopAfterEpoch;
    if (verb == "stop") {
        return ControlEffect{Command::Stop, RunStatus::Running};
    }
    if (verb == "stop-after-epoch" && asked != Command::Stop) {
        return ControlEffect{Command::StopAfterEpoch, RunStatus::Running};
    }
    if (verb == "pause" && !stopping) {
        return ControlEffect{Command::Pause, RunStatus::Paused};
    }
    if (verb == "continue" && !stopping) {
        return ControlEffect{Command::None, RunStatus::Running};
    }
    return std::nullopt;
}

}  // namespace concertina
