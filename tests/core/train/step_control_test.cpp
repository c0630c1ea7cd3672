// SPDX-License-Identifier: Apache-2.0
#include "core/train/step_control.h"

#include <gtest/gtest.h>

#include "tests/support/thread_ranks.h"

namespace concertina {
namespace {

using test::runRanks;
using test::ThreadRank;

Agreement agreed(ThreadRank& self, const StepVote& vote) {
    Collectives control(self.group("control"), self.worldSize, self.slot);
    return agree(vote, self.rank, control);
}

TEST(StepControl, NobodyHasAnythingToSay) {
    runRanks(3, [](ThreadRank& self) {
        const Agreement agreement = agreed(self, {});
        EXPECT_EQ(agreement.command, Command::None);
        EXPECT_FALSE(agreement.nonFinite);
    });
}

TEST(StepControl, CommandSeenByOneRankIsActedOnByAll) {
    runRanks(3, [](ThreadRank& self) {
        StepVote vote;
        vote.command = self.rank == 2 ? Command::Stop : Command::None;
        EXPECT_EQ(agreed(self, vote).command, Command::Stop);
    });
}

TEST(StepControl, NonFiniteGradientIsNamedByRankAndLayerEverywhere) {
    for (const int layer : {0, 1, 61}) {
        runRanks(3, [&](ThreadRank& self) {
            StepVote vote;
            if (self.rank == 1) {
                vote.nonFiniteLayer = layer;
            }
            const Agreement agreement = agreed(self, vote);
            ASSERT_TRUE(agreement.nonFinite);
            EXPECT_EQ(agreement.nonFinite->rank, 1);
            EXPECT_EQ(agreement.nonFinite->layer, layer);
        });
    }
}

TEST(StepControl, NonFiniteLossHasNoLayer) {
    runRanks(2, [](ThreadRank& self) {
        StepVote vote;
        vote.lossFinite = self.rank != 0;
        const Agreement agreement = agreed(self, vote);
        ASSERT_TRUE(agreement.nonFinite);
        EXPECT_EQ(agreement.nonFinite->rank, 0);
        EXPECT_FALSE(agreement.nonFinite->layer);
    });
}

}  // namespace
}  // namespace concertina
