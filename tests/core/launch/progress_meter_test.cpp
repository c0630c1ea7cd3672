// SPDX-License-Identifier: Apache-2.0
#include "core/launch/progress_meter.h"

#include <gtest/gtest.h>

namespace concertina {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

TEST(ProgressMeter, NothingIsKnownBeforeTheFirstStep) {
    const RankBoard board = RankBoard::priv();
    board.rank(0).phase = RankPhase::Loading;
    ProgressMeter meter(10);
    const RunProgress progress = meter.look(kSecond, board);
    EXPECT_EQ(progress.phase, "loading");
    EXPECT_EQ(progress.stepsPerSecond, 0);
    EXPECT_LT(progress.etaSeconds, 0);
}

TEST(ProgressMeter, RateIsOfTheLastSecondsAndTimeToGoOfTheWholeRun) {
    const RankBoard board = RankBoard::priv();
    board->stepsPerEpoch = 100;
    board.rank(0).phase = RankPhase::Training;
    ProgressMeter meter(3);
    // 10 steps a second for 10 s, then 2 a second for 10 s.
    std::int64_t step = 1;
    RunProgress progress;
    for (int second = 0; second <= 20; ++second) {
        board.rank(0).step = step;
        progress = meter.look(second * kSecond, board);
        step += second < 10 ? 10 : 2;
    }
    EXPECT_EQ(progress.step, 121);
    EXPECT_DOUBLE_EQ(progress.stepsPerSecond, 2);
    EXPECT_DOUBLE_EQ(progress.etaSeconds, (300 - 121) / 6.0);  // 120 steps in 20 s
}

TEST(ProgressMeter, BytesAndLossAreRankZeros) {
    const RankBoard board = RankBoard::priv();
    board.rank(0).wireBytes = 250;
    board.rank(0).denseWireBytes = 1000;
    board.rank(0).loss = 0.5;
    board.rank(1).loss = 9;
    ProgressMeter meter(1);
    const RunProgress progress = meter.look(0, board);
    EXPECT_EQ(progress.wireBytes, 250);
    EXPECT_EQ(progress.denseFp32WireBytes, 1000);
    EXPECT_EQ(progress.loss, 0.5);
}

}  // namespace
}  // namespace concertina
