// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/policy_of.h"

namespace concertina {
namespace {

RunSpec random(double share, std::int64_t interval, std::uint64_t seed = 1) {
    RunSpec spec =
        specWithPolicy("random", {{"mild_share", share}, {"interval_epochs", interval}}, 3);
    spec.seed = seed;
    return spec;
}

/// Levels of `layers` layers, one draw after another.
std::vector<int> draws(const RunSpec& spec, std::size_t layers, int epochs) {
    const auto policy = policyOf(spec, std::vector<bool>(layers, true));
    std::vector<int> levels;
    auto decisions = policy->start();
    for (int epoch = 0; epoch < epochs; ++epoch) {
        for (const Decision& decision : decisions) {
            EXPECT_EQ(decision.reason, Reason::Fixed);
            levels.push_back(decision.level);
        }
        decisions = policy->endOfEpoch(signalsOf(epoch, std::vector<double>(layers, 1.0)));
    }
    return levels;
}

TEST(Random, DrawsAnewEveryInterval) {
    const auto policy = policyOf(random(0.5, 3), {true, true});
    EXPECT_EQ(policy->start().size(), 2U);
    EXPECT_TRUE(policy->endOfEpoch(signalsOf(0, {1, 1})).empty());
    EXPECT_TRUE(policy->endOfEpoch(signalsOf(1, {1, 1})).empty());
    EXPECT_EQ(policy->endOfEpoch(signalsOf(2, {1, 1})).at(1).epoch, 3);
    EXPECT_TRUE(policy->endOfEpoch(signalsOf(3, {1, 1}, 0.1, 0.01)).empty());
}

TEST(Random, NoneAndAllAreExact) {
    EXPECT_EQ(draws(random(0, 1), 10, 100), std::vector<int>(1000, 2));
    EXPECT_EQ(draws(random(1, 1), 10, 100), std::vector<int>(1000, 0));
}

/// 20,000 draws: the mild ones are normal with deviation sqrt(20000 * 0.3 * 0.7) = 65; six of them
/// fail a right policy once in 5e8.
TEST(Random, TheMildShareIsTheGivenOne) {
    const std::vector<int> levels = draws(random(0.3, 1), 20, 1000);
    ASSERT_EQ(levels.size(), 20000U);
    EXPECT_NEAR(static_cast<double>(std::count(levels.begin(), levels.end(), 0)), 6000, 390);
    EXPECT_EQ(std::count(levels.begin(), levels.end(), 1), 0);
}

TEST(Random, OneSeedRepeatsAndAnotherDiffers) {
    EXPECT_EQ(draws(random(0.5, 1, 7), 8, 20), draws(random(0.5, 1, 7), 8, 20));
    EXPECT_NE(draws(random(0.5, 1, 7), 8, 20), draws(random(0.5, 1, 8), 8, 20));
    // A draw belongs to layer and epoch: another interval draws the same in the epochs they share.
    const std::vector<int> every = draws(random(0.5, 1), 4, 9), third = draws(random(0.5, 3), 4, 9);
    ASSERT_EQ(third.size(), 12U);
    for (std::size_t i = 0; i < third.size(); ++i) {
        EXPECT_EQ(third[i], every[i / 4 * 12 + i % 4]) << i;
    }
    // Neither all layers alike nor all draws.
    const std::vector<int> one = draws(random(0.5, 1), 8, 1), two = draws(random(0.5, 1), 8, 2);
    EXPECT_NE(one, std::vector<int>(8, one[0]));
    EXPECT_NE(std::vector<int>(two.begin() + 8, two.end()), one);
}

}  // namespace
}  // namespace concertina
