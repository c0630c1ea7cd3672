// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/intervals.h"

#include <gtest/gtest.h>

namespace concertina {
namespace {

Decision decision(int epoch, int layer, int level, Reason reason) {
    Decision made;
    made.epoch = epoch;
    made.layer = layer;
    made.level = level;
    made.reason = reason;
    return made;
}

/// Two layers over ten epochs; layer 3 is decided in the middle of a list sorted by epoch, and in
/// epoch 6 the learning-rate rule overrules the norm.
const std::vector<Decision> kDecisions = {
    decision(0, 1, 0, Reason::Initial),  decision(0, 3, 0, Reason::Initial),
    decision(2, 1, 0, Reason::Critical), decision(2, 3, 1, Reason::Stable),
    decision(4, 1, 0, Reason::Critical), decision(4, 3, 1, Reason::Stable),
    decision(6, 1, 1, Reason::Stable),   decision(6, 3, 1, Reason::Stable),
    decision(6, 1, 0, Reason::LrDecay),  decision(6, 3, 0, Reason::LrDecay),
    decision(8, 3, 0, Reason::Critical)};

TEST(Intervals, RunsJoinEqualNeighboursAndTheLastOfAnEpochWins) {
    EXPECT_EQ(levelRuns(kDecisions, 10), (std::vector<LevelRun>{{1, 0, 2, 0, Reason::Initial},
                                                                {1, 2, 6, 0, Reason::Critical},
                                                                {1, 6, 10, 0, Reason::LrDecay},
                                                                {3, 0, 2, 0, Reason::Initial},
                                                                {3, 2, 6, 1, Reason::Stable},
                                                                {3, 6, 8, 0, Reason::LrDecay},
                                                                {3, 8, 10, 0, Reason::Critical}}));
}

TEST(Intervals, OnlyEpochsThatCountAreCovered) {
    EXPECT_EQ(levelRuns(kDecisions, 3), (std::vector<LevelRun>{{1, 0, 2, 0, Reason::Initial},
                                                               {1, 2, 3, 0, Reason::Critical},
                                                               {3, 0, 2, 0, Reason::Initial},
                                                               {3, 2, 3, 1, Reason::Stable}}));
    EXPECT_TRUE(levelRuns(kDecisions, 0).empty());
    EXPECT_TRUE(levelRuns({}, 10).empty());
}

TEST(Intervals, EachDecisionHeldUntilTheNext) {
    const auto held = heldDecisions(kDecisions, 10);
    ASSERT_EQ(held.size(), 9u);  // the two overruled ones held for no epoch
    EXPECT_EQ(held[1].decision, &kDecisions[2]);
    EXPECT_EQ(held[1].epochs, (EpochInterval{2, 4}));
    EXPECT_EQ(held[3].decision, &kDecisions[8]);
    EXPECT_EQ(held[3].epochs, (EpochInterval{6, 10}));
}

TEST(Intervals, CriticalMeansTheReasonAndNotTheLevel) {
    const auto runs = levelRuns(kDecisions, 10);
    EXPECT_EQ(criticalIntervals(runs, 1), (std::vector<EpochInterval>{{2, 6}}));
    EXPECT_EQ(criticalIntervals(runs, 3), (std::vector<EpochInterval>{{8, 10}}));
    EXPECT_TRUE(criticalIntervals(runs, 2).empty());
    EXPECT_EQ(criticalCounts(runs, 10), (std::vector<int>{0, 0, 1, 1, 1, 1, 0, 0, 1, 1}));
    EXPECT_TRUE(criticalCounts(runs, 0).empty());
}

TEST(Intervals, ALayerCriticalAtTwoLevelsIsOneInterval) {
    const std::vector<Decision> decisions = {decision(0, 0, 0, Reason::Critical),
                                             decision(2, 0, 1, Reason::Critical)};
    EXPECT_EQ(criticalIntervals(levelRuns(decisions, 5), 0), (std::vector<EpochInterval>{{0, 5}}));
}

}  // namespace
}  // namespace concertina
