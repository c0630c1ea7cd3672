// SPDX-License-Identifier: Apache-2.0
#include "core/comm/collectives.h"

#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "core/base/error.h"
#include "tests/support/thread_ranks.h"

namespace concertina {
namespace {

using test::runRanks;
using test::ThreadRank;

class CollectivesOfRanks : public ::testing::TestWithParam<int> {};

TEST_P(CollectivesOfRanks, CombineAndCountWhatWasHandedOver) {
    const int ranks = GetParam();
    runRanks(ranks, [&](ThreadRank& self) {
        Collectives link(self.group("g"), ranks, self.slot);
        at::Tensor sum = at::full({6}, self.rank + 1.0F, at::kFloat);
        link.sum(sum, Traffic::Gradient);
        const float expected = ranks * (ranks + 1) / 2.0F;
        EXPECT_TRUE(sum.eq(expected).all().item<bool>());

        at::Tensor rows = at::zeros({ranks, 5}, at::kByte);
        link.gather(at::full({5}, self.rank + 7, at::kByte), rows, Traffic::Gradient);
        for (int row = 0; row < ranks; ++row) {
            EXPECT_TRUE(rows[row].eq(row + 7).all().item<bool>());
        }
        at::Tensor shared = at::full({3}, self.rank + 2, at::kInt);
        link.broadcast(shared, Traffic::Decision);
        EXPECT_TRUE(shared.eq(2).all().item<bool>());

        const TrafficCount& gradient = link.count(Traffic::Gradient);
        EXPECT_EQ(gradient.payloadBytes, 6 * 4 + 5);
        EXPECT_EQ(gradient.collectives, 2);
        const double w = ranks;
        EXPECT_DOUBLE_EQ(gradient.wireBytes, 2 * (w - 1) / w * 24 + (w - 1) * 5);
        EXPECT_EQ(link.count(Traffic::Decision).payloadBytes, 12);
        EXPECT_EQ(link.count(Traffic::Metric).collectives, 0);
        EXPECT_EQ(self.slot.collectivesEntered, ranks == 1 ? 0 : 3);
        EXPECT_EQ(self.slot.collectivesFinished, ranks == 1 ? 0 : 3);
    });
}

INSTANTIATE_TEST_SUITE_P(Ranks, CollectivesOfRanks, ::testing::Values(1, 2, 3, 4));

TEST(Collectives, MaximumAgreesOnTheLargest) {
    runRanks(3, [](ThreadRank& self) {
        Collectives link(self.group("g"), 3, self.slot);
        at::Tensor word = at::full({1}, 10 - self.rank, at::kLong);
        link.max(word, Traffic::Control);
        EXPECT_EQ(word.item<std::int64_t>(), 10);
    });
}

TEST(Collectives, LinkModelSetsTheLeastTimeOfACollective) {
    runRanks(2, [](ThreadRank& self) {
        // 2 ranks: 2 ring steps of 10 ms and 1,000,000 wire bytes at 10 MB/s: 20 ms + 100 ms.
        Collectives link(self.group("g"), 2, self.slot, LinkModel{10e6, 0.01});
        at::Tensor million = at::zeros({250000}, at::kFloat);
        const auto begin = std::chrono::steady_clock::now();
        link.sum(million, Traffic::Gradient);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        EXPECT_GE(took.count(), 0.12);
    });
}

TEST(Collectives, LostPeerIsAnErrorOfThatKind) {
    runRanks(2, [](ThreadRank& self) {
        auto group = self.group("g");
        if (self.rank == 1) {
            return;  // its group is destroyed: connections close
        }
        Collectives link(group, 2, self.slot);
        at::Tensor one = at::zeros({1}, at::kFloat);
        try {
            link.sum(one, Traffic::Gradient);
            FAIL() << "no error";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::RankLost);
            EXPECT_NE(std::string(error.what()).find("a peer is gone"), std::string::npos);
        }
    });
}

}  // namespace
}  // namespace concertina
