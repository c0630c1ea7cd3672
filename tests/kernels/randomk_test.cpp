// SPDX-License-Identifier: Apache-2.0
#include "kernels/randomk.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/kernels/inputs.h"

namespace concertina::kernels {
namespace {

RandomPositions positionsOf(std::int64_t count,
                            std::int64_t kept,
                            bool block,
                            std::uint32_t draw = 0) {
    return {static_cast<std::uint64_t>(count), static_cast<std::uint64_t>(kept), block,
            PhiloxStream{{{3, 5}}, {draw, 0, 0}}};
}

TEST(Randomk, PositionsAreDifferent) {
    for (const std::int64_t count : {1, 2, 3, 17, 1000}) {
        for (const std::int64_t kept : {std::int64_t{1}, (count + 1) / 2, count}) {
            for (const bool block : {false, true}) {
                const RandomPositions positions = positionsOf(count, kept, block);
                std::set<std::int64_t> met;
                for (std::int64_t i = 0; i < kept; ++i) {
                    ASSERT_GE(positions.at(i), 0);
                    ASSERT_LT(positions.at(i), count);
                    met.insert(positions.at(i));
                }
                ASSERT_EQ(static_cast<std::int64_t>(met.size()), kept) << count;
            }
        }
    }
}

TEST(Randomk, ABlockGoesOnAtTheBeginningAfterTheEnd) {
    std::set<std::int64_t> starts;
    for (std::uint32_t draw = 0; draw < 200; ++draw) {
        const RandomPositions positions = positionsOf(7, 5, true, draw);
        for (std::int64_t i = 1; i < 5; ++i) {
            ASSERT_EQ(positions.at(i), (positions.at(0) + i) % 7);
        }
        starts.insert(positions.at(0));
    }
    EXPECT_EQ(starts.size(), 7U);  // false alarm: 7 (6/7)^200, 3 in 10^13
}

TEST(Randomk, TakingLeavesTheRestAndPuttingBackGivesItsShare) {
    for (const bool block : {false, true}) {
        for (const std::int64_t count : {1, 2, 9, 1000}) {
            const auto values = wholeNumbers(count, 1000, 1);
            const std::int64_t kept = (count + 2) / 3;
            const RandomPositions positions = positionsOf(count, kept, block);
            auto rest = values;
            std::vector<float> taken(kept);
            ASSERT_TRUE(takeRandom(rest.data(), positions, 1, taken.data(), {}).ok);
            std::vector<float> share(count, -99);
            ASSERT_TRUE(putRandom(taken.data(), positions, 4, share.data(), {}).ok);
            std::int64_t left = 0;
            for (std::int64_t i = 0; i < count; ++i) {
                ASSERT_EQ(rest[i] + 4 * share[i], values[i]);
                ASSERT_TRUE(rest[i] == 0 || share[i] == 0);
                left += rest[i] != 0;
            }
            EXPECT_LE(left, count - kept);
        }
    }
}

// Drawn in batches, or one by one: the same places in the same order.
TEST(Randomk, PlacesAreThoseOfThePermutation) {
    onEachTarget([] {
        for (const std::int64_t count : {1, 3, 1000, 1024, 40000}) {
            for (const std::int64_t kept : {(count + 9) / 10, (count + 1) / 2, count}) {
                const RandomPositions positions = positionsOf(count, kept, false);
                std::vector<float> values(count);
                for (std::int64_t i = 0; i < count; ++i) {
                    values[i] = static_cast<float>(i);
                }
                std::vector<float> taken(kept + 1, -99);
                ASSERT_TRUE(takeRandom(values.data(), positions, 1, taken.data(), {}).ok);
                for (std::int64_t i = 0; i < kept; ++i) {
                    ASSERT_EQ(taken[i], static_cast<float>(positions.at(i))) << i << " " << count;
                }
                ASSERT_EQ(taken[kept], -99);
            }
        }
    });
}

TEST(Randomk, AScaledValueLeavesWhatItExceeds) {
    std::vector<float> values{8, 8, 8, 8};
    std::vector<float> taken(1);
    ASSERT_TRUE(takeRandom(values.data(), positionsOf(4, 1, false), 4, taken.data(), {}).ok);
    EXPECT_EQ(taken[0], 32);
    std::sort(values.begin(), values.end());
    EXPECT_EQ(values, (std::vector<float>{-24, 8, 8, 8}));
}

}  // namespace
}  // namespace concertina::kernels
