// SPDX-License-Identifier: Apache-2.0
#include "core/data/sharded_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

namespace concertina {
namespace {

TEST(ShardedOrder, IsAPermutationThatDependsOnSeedAndEpochOnly) {
    const auto order = epochOrder(1000, 7, 3);
    EXPECT_EQ(order, epochOrder(1000, 7, 3));
    EXPECT_NE(order, epochOrder(1000, 7, 4));
    EXPECT_NE(order, epochOrder(1000, 8, 3));
    auto sorted = order;
    std::sort(sorted.begin(), sorted.end());
    for (std::int64_t i = 0; i < 1000; ++i) {
        ASSERT_EQ(sorted[static_cast<std::size_t>(i)], i);
    }
    EXPECT_TRUE(epochOrder(0, 7, 3).empty());
    EXPECT_EQ(epochOrder(1, 7, 3), std::vector<std::int64_t>{0});
}

TEST(ShardedOrder, FirstPlaceIsTakenByEverySampleAboutEquallyOften) {
    // 4 samples, 4000 epochs: each should come first 1000 times, standard deviation 27.4. Six of
    // them bound the chance of a false alarm below 1e-8; seeds are fixed, so it cannot flicker.
    std::vector<int> first(4, 0);
    for (int epoch = 0; epoch < 4000; ++epoch) {
        ++first[static_cast<std::size_t>(epochOrder(4, 1, epoch)[0])];
    }
    for (const int count : first) {
        EXPECT_NEAR(count, 1000, 165);
    }
}

struct LayoutCase {
    std::int64_t samples, batch;
    int ranks;
    std::int64_t steps, lastBatch, seen;
};

class ShardLayouts : public ::testing::TestWithParam<LayoutCase> {};

TEST_P(ShardLayouts, ShardsAreDisjointEqualAndCompleteUpToTheRule) {
    const LayoutCase& expected = GetParam();
    const ShardLayout layout{expected.samples, expected.batch, expected.ranks};
    EXPECT_EQ(layout.stepsPerEpoch(), expected.steps);
    const auto order = epochOrder(expected.samples, 1, 0);
    std::set<std::int64_t> seen;
    std::int64_t total = 0;
    for (std::int64_t step = 0; step < expected.steps; ++step) {
        for (int rank = 0; rank < expected.ranks; ++rank) {
            const auto shard = shardOf(order, layout, rank, step);
            const bool last = step + 1 == expected.steps;
            EXPECT_EQ(static_cast<std::int64_t>(shard.size()),
                      last ? expected.lastBatch : expected.batch);
            seen.insert(shard.begin(), shard.end());
            total += static_cast<std::int64_t>(shard.size());
        }
    }
    EXPECT_EQ(total, expected.seen);
    EXPECT_EQ(static_cast<std::int64_t>(seen.size()), total) << "no sample twice";
}

INSTANTIATE_TEST_SUITE_P(Rules,
                         ShardLayouts,
                         ::testing::Values(LayoutCase{6000, 64, 2, 47, 56, 6000},
                                           LayoutCase{128, 64, 2, 1, 64, 128},
                                           LayoutCase{129, 64, 2, 1, 64, 128},
                                           LayoutCase{130, 64, 2, 2, 1, 130},
                                           LayoutCase{131, 64, 2, 2, 1, 130},
                                           LayoutCase{10, 64, 3, 1, 3, 9},
                                           LayoutCase{7, 1, 1, 7, 1, 7}));

TEST(ShardedOrder, RanksTogetherSeeWhatOneRankWithTheWholeBatchSees) {
    const auto order = epochOrder(96, 1, 0);
    const ShardLayout two{96, 8, 2}, one{96, 16, 1};
    for (std::int64_t step = 0; step < 6; ++step) {
        auto both = shardOf(order, two, 0, step);
        const auto second = shardOf(order, two, 1, step);
        both.insert(both.end(), second.begin(), second.end());
        EXPECT_EQ(both, shardOf(order, one, 0, step));
    }
    EXPECT_THROW(shardOf(order, two, 0, 6), std::logic_error);
}

using Batches = std::vector<std::vector<std::int64_t>>;

TEST(StreamOrder, LeavesOutWhatFillsNoStep) {
    const ShardLayout layout = streamLayout({23, 2, 3});  // 6 streams of 3
    EXPECT_EQ(layout.samples, 18);
    EXPECT_EQ(layout.stepsPerEpoch(), 3);
    EXPECT_EQ(layout.batchOf(2), 2);
    const auto order = streamOrder(layout);
    EXPECT_EQ(shardOf(order, layout, 0, 0), (std::vector<std::int64_t>{0, 3}));
    EXPECT_EQ(shardOf(order, layout, 2, 0), (std::vector<std::int64_t>{12, 15}));
    EXPECT_EQ(shardOf(order, layout, 2, 2), (std::vector<std::int64_t>{14, 17}));
    EXPECT_THROW(streamOrder({23, 2, 3}), std::logic_error);
}

TEST(EvaluationOrder, BatchesCoverARanksPart) {
    EXPECT_EQ(evaluationBatches(7, 0, 2, 2), (Batches{{0, 1}, {2}}));
    EXPECT_EQ(evaluationBatches(7, 1, 2, 2), (Batches{{3, 4}, {5, 6}}));
    EXPECT_EQ(evaluationBatches(1, 0, 2, 2), Batches{});
}

TEST(EvaluationOrder, StreamsCoverARanksPart) {
    EXPECT_EQ(evaluationStreams(7, 0, 1, 3), (Batches{{0, 2, 4}, {1, 3, 5}, {6}}));
    EXPECT_EQ(evaluationStreams(9, 1, 2, 2), (Batches{{4, 6}, {5, 7}, {8}}));
    EXPECT_EQ(evaluationStreams(2, 0, 1, 10), (Batches{{0, 1}}));
    EXPECT_EQ(evaluationStreams(1, 0, 2, 10), Batches{});
}

TEST(EvaluationOrder, EverySampleIsOnExactlyOneRank) {
    for (const std::int64_t samples : {0, 1, 5, 64, 101}) {
        for (const int ranks : {1, 2, 3, 8}) {
            std::vector<std::int64_t> seen, streamed;
            for (int rank = 0; rank < ranks; ++rank) {
                for (const auto& batch : evaluationBatches(samples, rank, ranks, 7)) {
                    seen.insert(seen.end(), batch.begin(), batch.end());
                }
                for (const auto& batch : evaluationStreams(samples, rank, ranks, 4)) {
                    streamed.insert(streamed.end(), batch.begin(), batch.end());
                }
            }
            std::sort(streamed.begin(), streamed.end());
            EXPECT_EQ(seen, streamed);
            EXPECT_EQ(static_cast<std::int64_t>(seen.size()), samples);
        }
    }
}

}  // namespace
}  // namespace concertina
