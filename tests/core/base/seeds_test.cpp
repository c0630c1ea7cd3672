// SPDX-License-Identifier: Apache-2.0
#include "core/base/seeds.h"

#include <gtest/gtest.h>

#include <set>

namespace concertina {
namespace {

// The first output of SplitMix64 seeded with 0, and of the state after it.
TEST(Seeds, MixBitsIsSplitMix64) {
    EXPECT_EQ(mixBits(0), 0xE220A8397B1DCDAFU);
    EXPECT_EQ(mixBits(0x9E3779B97F4A7C15U), 0x6E789E6AA1B965F4U);
}

TEST(Seeds, EveryPartOfTheNameChangesTheWords) {
    std::set<std::uint32_t> firstWords;
    firstWords.insert(randomStream(1, "a").word(0));
    firstWords.insert(randomStream(2, "a").word(0));
    firstWords.insert(randomStream(1, "b").word(0));
    firstWords.insert(randomStream(1, "a", {.layer = 1}).word(0));
    firstWords.insert(randomStream(1, "a", {.step = 1}).word(0));
    firstWords.insert(randomStream(1, "a", {.rank = 1}).word(0));
    EXPECT_EQ(firstWords.size(), 6U);
}

TEST(Seeds, TheSameNameGivesTheSameWords) {
    const DrawPlace place{.layer = 3, .step = 70, .rank = 2};
    EXPECT_EQ(randomStream(9, "a", place).word(5), randomStream(9, "a", place).word(5));
}

}  // namespace
}  // namespace concertina
