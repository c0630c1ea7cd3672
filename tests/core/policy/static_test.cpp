// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/support/policy_of.h"

namespace concertina {
namespace {

RunSpec fixedAt(std::int64_t level) { return specWithPolicy("static", {{"level", level}}); }

TEST(StaticPolicy, DecidesOnceForEachCompressibleLayer) {
    const auto policy = policyOf(fixedAt(1), {false, true, true});
    const auto decisions = policy->start();
    ASSERT_EQ(decisions.size(), 2U);
    EXPECT_EQ(decisions[0].layer, 1);
    EXPECT_EQ(decisions[0].level, 1);
    EXPECT_EQ(decisions[0].epoch, 0);
    EXPECT_EQ(decisions[0].reason, Reason::Fixed);
    EXPECT_TRUE(policy->endOfEpoch(signalsOf(0, {1, 1, 1}, 1, 0.1)).empty());
}

TEST(StaticPolicy, ALevelThatIsNotThereIsABug) {
    EXPECT_THROW(policyOf(fixedAt(2)), std::logic_error);
}

}  // namespace
}  // namespace concertina
