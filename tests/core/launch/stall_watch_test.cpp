// SPDX-License-Identifier: Apache-2.0
#include "core/launch/stall_watch.h"

#include <gtest/gtest.h>

namespace concertina {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

RankSight training(std::int64_t step, std::int64_t entered, std::int64_t finished) {
    return {.phase = RankPhase::Training,
            .step = step,
            .collectivesEntered = entered,
            .collectivesFinished = finished};
}

/// Looks once a second from `from` to `to`; the second at which a stall was found, -1 if none.
int secondsUntilStall(
    StallWatch& watch, std::vector<RankSight> ranks, int from, int to, int& blamed) {
    for (int second = from; second <= to; ++second) {
        if (const auto stall = watch.look(second * kSecond, ranks)) {
            blamed = stall->rank;
            return second;
        }
    }
    return -1;
}

TEST(StallWatch, BlamesTheRankThatHasNotEnteredTheCollective) {
    StallWatch watch(std::chrono::seconds(20));
    int blamed = -1;
    const std::vector<RankSight> ranks{training(5, 31, 30), training(5, 30, 30),
                                       training(5, 31, 30)};
    EXPECT_EQ(secondsUntilStall(watch, ranks, 100, 200, blamed), 120);
    EXPECT_EQ(blamed, 1);
}

TEST(StallWatch, AnyMovementStartsTheClockAnew) {
    StallWatch watch(std::chrono::seconds(3));
    int blamed = -1;
    for (int second = 0; second < 60; second += 2) {
        const std::vector<RankSight> ranks{training(1, 10 + second, 10), training(1, 10, 10)};
        EXPECT_EQ(secondsUntilStall(watch, ranks, second, second + 1, blamed), -1) << second;
    }
}

TEST(StallWatch, SlowStepsMakeItPatient) {
    StallWatch watch(std::chrono::seconds(4));
    int blamed = -1;
    EXPECT_EQ(secondsUntilStall(watch, {training(1, 10, 10)}, 0, 2, blamed), -1);
    EXPECT_EQ(secondsUntilStall(watch, {training(2, 20, 20)}, 3, 3, blamed),
              -1);  // a step took 3 s
    EXPECT_EQ(secondsUntilStall(watch, {training(2, 20, 20)}, 4, 60, blamed), 3 + 12);
}

TEST(StallWatch, LoadingAndTheFirstStepMayTakeFifteenTimeouts) {
    for (const RankSight& slow :
         {RankSight{.phase = RankPhase::Loading},
          RankSight{.phase = RankPhase::Evaluating, .step = 9}, training(0, 0, 0)}) {
        StallWatch watch(std::chrono::seconds(2));
        int blamed = -1;
        EXPECT_EQ(secondsUntilStall(watch, {training(9, 5, 5), slow}, 0, 100, blamed), 30);
        EXPECT_EQ(blamed, slow.collectivesEntered < 5 ? 1 : 0);
    }
}

TEST(StallWatch, AStoppedProcessIsBlamedAfterOneTimeoutInAnyPhase) {
    StallWatch watch(std::chrono::seconds(20));
    RankSight stopped{.phase = RankPhase::Evaluating, .step = 40};
    stopped.stopped = true;
    int blamed = -1;
    EXPECT_EQ(secondsUntilStall(watch, {training(40, 7, 7), stopped}, 0, 100, blamed), 20);
    EXPECT_EQ(blamed, 1);
}

TEST(StallWatch, AGapBetweenLooksIsTheSupervisorsOwn) {
    StallWatch watch(std::chrono::seconds(20));
    const std::vector<RankSight> ranks{training(5, 30, 30)};
    EXPECT_FALSE(watch.look(0, ranks));
    EXPECT_FALSE(watch.look(3600 * kSecond, ranks)) << "the machine slept for an hour";
}

TEST(StallWatch, EndedRanksAreNeitherWaitedForNorBlamed) {
    RankSight ended = training(5, 1, 1);
    ended.alive = false;
    const std::vector<RankSight> ranks{ended, training(5, 30, 30)};
    EXPECT_EQ(laggingRank(ranks), 1);
    StallWatch watch(std::chrono::seconds(2));
    int blamed = -1;
    EXPECT_EQ(secondsUntilStall(watch, {ended}, 0, 100, blamed), -1);
}

}  // namespace
}  // namespace concertina
