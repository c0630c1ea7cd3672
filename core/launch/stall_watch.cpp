// SPDX-License-Identifier: Apache-2.0
#include "core/launch/stall_watch.h"

#include <algorithm>
#include <tuple>

#include "core/base/check.h"

namespace concertina {
namespace {

constexpr std::int64_t kPauseFactor = 4;
constexpr std::int64_t kSlowPhaseFactor = 15;
/// A longer gap between two looks means that the supervisor itself stood still (Ctrl-Z, a suspended
/// machine).
constexpr std::int64_t kGapNs = 3'000'000'000;

bool steadyTraining(const RankSight& rank) {
    return !rank.alive || (rank.phase == RankPhase::Training && rank.step > 0);
}

auto progressOf(const RankSight& rank) {
    return std::tuple(rank.collectivesEntered, rank.collectivesFinished, rank.step);
}

}  // namespace

RankSight sightOf(const RankSlot& slot) {
    return {.phase = slot.phase.load(),
            .step = slot.step.load(),
            .collectivesEntered = slot.collectivesEntered.load(),
            .collectivesFinished = slot.collectivesFinished.load()};
}

int laggingRank(std::span<const RankSight> ranks) {
    int lagging = -1;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        if (ranks[i].alive && (lagging < 0 || progressOf(ranks[i]) < progressOf(ranks[lagging]))) {
            lagging = static_cast<int>(i);
        }
    }
    CONCERTINA_CHECK(lagging >= 0, "no rank lives");
    return lagging;
}

std::int64_t StallWatch::limitNs(std::span<const RankSight> ranks) const {
    if (std::all_of(ranks.begin(), ranks.end(), steadyTraining)) {
        return std::max(timeoutNs_, kPauseFactor * longestPauseNs_);
    }
    return kSlowPhaseFactor * timeoutNs_;
}

void StallWatch::forgive(std::int64_t nowNs) {
    lastLookNs_ = lastMoveNs_ = nowNs;
    stoppedSinceNs_.assign(stoppedSinceNs_.size(), -1);
}

std::optional<Stall> StallWatch::look(std::int64_t nowNs, std::span<const RankSight> ranks) {
    stoppedSinceNs_.resize(ranks.size(), -1);
    if (lastLookNs_ < 0 || nowNs - lastLookNs_ > kGapNs) {
        forgive(nowNs);
    }
    lastLookNs_ = nowNs;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        if (!ranks[i].alive || !ranks[i].stopped) {
            stoppedSinceNs_[i] = -1;
        } else if (stoppedSinceNs_[i] < 0) {
            stoppedSinceNs_[i] = nowNs;
        } else if (nowNs - stoppedSinceNs_[i] >= timeoutNs_) {
            return Stall{static_cast<int>(i),
                         static_cast<double>(nowNs - stoppedSinceNs_[i]) * 1e-9};
        }
    }
    const bool steady = std::all_of(ranks.begin(), ranks.end(), steadyTraining);
    if (!std::equal(ranks.begin(), ranks.end(), last_.begin(), last_.end())) {
        // Only pauses that steady training ended by itself say how long a step may take here.
        if (steady && std::all_of(last_.begin(), last_.end(), steadyTraining)) {
            longestPauseNs_ = std::max(longestPauseNs_, nowNs - lastMoveNs_);
        }
        last_.assign(ranks.begin(), ranks.end());
        lastMoveNs_ = nowNs;
        return std::nullopt;
    }
    const bool anyAlive =
        std::any_of(ranks.begin(), ranks.end(), [](const auto& r) { return r.alive; });
    if (!anyAlive || nowNs - lastMoveNs_ < limitNs(ranks)) {
        return std::nullopt;
    }
    return Stall{laggingRank(ranks), static_cast<double>(nowNs - lastMoveNs_) * 1e-9};
}

}  // namespace concertina
