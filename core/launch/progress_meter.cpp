// SPDX-License-Identifier: Apache-2.0
#include "core/launch/progress_meter.h"

namespace concertina {
namespace {

constexpr std::int64_t kWindowNs = 5'000'000'000;

double perSecond(std::int64_t count, std::int64_t elapsedNs) {
    return elapsedNs > 0 ? static_cast<double>(count) * 1e9 / static_cast<double>(elapsedNs) : 0;
}

}  // namespace

RunProgress ProgressMeter::look(std::int64_t nowNs, const RankBoard& board) {
    const RankSlot& slot = board.rank(0);
    const RankPhase phase = slot.phase.load();
    RunProgress progress{.epoch = slot.epoch.load(),
                         .epochs = epochs_,
                         .step = slot.step.load(),
                         .stepsPerEpoch = board->stepsPerEpoch.load(),
                         .loss = slot.loss.load(),
                         .etaSeconds = -1,
                         .wireBytes = static_cast<double>(slot.wireBytes.load()),
                         .denseFp32WireBytes = static_cast<double>(slot.denseWireBytes.load()),
                         .phase = toText(phase)};
    if (progress.step == 0) {
        return progress;
    }
    if (first_.timeNs < 0) {
        first_ = {nowNs, progress.step};
    }
    recent_.push_back({nowNs, progress.step});
    while (recent_.size() > 2 && nowNs - recent_.front().timeNs > kWindowNs) {
        recent_.pop_front();
    }
    progress.stepsPerSecond =
        perSecond(progress.step - recent_.front().step, nowNs - recent_.front().timeNs);
    const double meanRate = perSecond(progress.step - first_.step, nowNs - first_.timeNs);
    if (meanRate > 0 && progress.stepsPerEpoch > 0) {
        progress.etaSeconds =
            static_cast<double>(progress.stepsPerEpoch * epochs_ - progress.step) / meanRate;
    }
    return progress;
}

}  // namespace concertina
