// SPDX-License-Identifier: Apache-2.0
#include "core/store/records.h"

#include <algorithm>
#include <array>

#include "core/base/check.h"

namespace concertina {
namespace {

struct StatusName {
    RunStatus status;
    const char* name;
};
constexpr std::array kStatusNames = {
    StatusName{RunStatus::Queued, "queued"},     StatusName{RunStatus::Running, "running"},
    StatusName{RunStatus::Paused, "paused"},     StatusName{RunStatus::Done, "done"},
    StatusName{RunStatus::Stopped, "stopped"},   StatusName{RunStatus::Failed, "failed"},
    StatusName{RunStatus::Diverged, "diverged"}, StatusName{RunStatus::Lost, "lost"}};

}  // namespace

const char* toText(RunStatus status) {
    for (const StatusName& row : kStatusNames) {
        if (row.status == status) {
            return row.name;
        }
    }
    CONCERTINA_CHECK(false, "a status without a name");
    return "";
}

std::optional<RunStatus> runStatusFromText(const std::string& text) {
    for (const StatusName& row : kStatusNames) {
        if (text == row.name) {
            return row.status;
        }
    }
    return std::nullopt;
}

bool isActive(RunStatus status) {
    return status == RunStatus::Queued || status == RunStatus::Running ||
           status == RunStatus::Paused;
}

std::string layerName(std::span<const LayerRow> layers, int layer) {
    const auto found = std::find_if(layers.begin(), layers.end(),
                                    [&](const LayerRow& row) { return row.layer == layer; });
    return found == layers.end() ? "layer " + std::to_string(layer) : found->name;
}

}  // namespace concertina
