// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <stdexcept>

#include "core/catalogue/catalogue.h"
#include "core/catalogue/check.h"
#include "core/policy/policy.h"

namespace concertina {
namespace {

Choice fixedAt(std::int64_t level) { return {"static", {{"level", level}}}; }

TEST(StaticPolicy, DecidesOnceForEachCompressibleLayer) {
    const auto policy = makePolicy(fixedAt(1), 2, {false, true, true});
    const auto decisions = policy->start();
    ASSERT_EQ(decisions.size(), 2U);
    EXPECT_EQ(decisions[0].layer, 1);
    EXPECT_EQ(decisions[0].level, 1);
    EXPECT_EQ(decisions[0].epoch, 0);
    EXPECT_EQ(decisions[0].reason, Reason::Fixed);
    const std::vector<double> norms{1, 1, 1};
    EXPECT_TRUE(
        policy->endOfEpoch({.epoch = 0, .norms = norms, .learningRate = 1, .nextLearningRate = 0.1})
            .empty());
}

TEST(StaticPolicy, ALevelThatIsNotThereIsABug) {
    EXPECT_THROW(makePolicy(fixedAt(2), 2, {true}), std::logic_error);
    EXPECT_THROW(makePolicy({"unknown", {}}, 2, {true}), std::logic_error);
}

TEST(Policy, EveryPolicyOfTheCatalogueCanBeMadeFromItsDefaults) {
    for (const PolicyDescriptor& policy : policies()) {
        const auto made = makePolicy({policy.name, defaultsOf(policy.parameters)}, 2, {true});
        EXPECT_EQ(made->start().size(), 1U) << policy.name;
    }
}

TEST(Reason, NamesReadBackEqual) {
    for (const Reason reason :
         {Reason::Initial, Reason::Critical, Reason::Stable, Reason::LrDecay, Reason::ZeroNorm,
          Reason::NonFinite, Reason::Fixed, Reason::Manual}) {
        EXPECT_EQ(reasonFromText(toText(reason)), reason);
    }
    EXPECT_STREQ(toText(Reason::LrDecay), "lr-decay");
    EXPECT_EQ(reasonFromText("warm"), std::nullopt);
}

}  // namespace
}  // namespace concertina
