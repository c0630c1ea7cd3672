// SPDX-License-Identifier: Apache-2.0
// What every policy of the catalogue must keep.
#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

#include "tests/support/policy_of.h"

namespace concertina {
namespace {

TEST(Policy, EveryOneOfTheCatalogueCanBeMadeFromItsDefaults) {
    for (const PolicyDescriptor& policy : policies()) {
        const RunSpec spec = specWithPolicy(policy.name, {}, 2);
        EXPECT_EQ(policyOf(spec)->start().size(), 1U) << policy.name;
        if (policy.conflicts != nullptr) {
            EXPECT_TRUE(policy.conflicts(spec.policy.options, 2).empty()) << policy.name;
        }
    }
}

TEST(Policy, EveryOneDecidesForAllCompressibleLayersOrNone) {
    for (const PolicyDescriptor& policy : policies()) {
        const auto made = policyOf(specWithPolicy(policy.name), {true, false, true});
        auto decisions = made->start();
        int from = 0;
        for (int epoch = 0; epoch < 60; ++epoch) {
            std::set<int> layers;
            for (const Decision& decision : decisions) {
                EXPECT_EQ(decision.epoch, from) << policy.name;
                EXPECT_TRUE(decision.level == 0 || decision.level == 1) << policy.name;
                layers.insert(decision.layer);
            }
            EXPECT_EQ(layers.size(), decisions.size()) << policy.name;
            EXPECT_TRUE(layers.empty() || layers == (std::set<int>{0, 2})) << policy.name;
            const double rate = epoch < 30 ? 0.1 : 0.01, next = epoch < 29 ? 0.1 : 0.01;
            decisions = made->endOfEpoch(signalsOf(epoch, {1.0 + epoch, 1, 1}, rate, next));
            from = epoch + 1;
        }
    }
}

TEST(Policy, AnUnknownNameOrNoLevelIsABug) {
    EXPECT_THROW(policyOf(specWithPolicy("unknown")), std::logic_error);
    EXPECT_THROW(policyOf(specWithPolicy("static", {}, 0)), std::logic_error);
}

}  // namespace
}  // namespace concertina
