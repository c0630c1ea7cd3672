// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <utility>

#include "core/base/check.h"
#include "core/policy/policy_setup.h"

namespace concertina {

std::unique_ptr<Policy> makeStaticPolicy(PolicySetup setup);
std::unique_ptr<Policy> makeSchedulePolicy(PolicySetup setup);
std::unique_ptr<Policy> makeWindowPolicy(PolicySetup setup);
std::unique_ptr<Policy> makeRandomPolicy(PolicySetup setup);
std::unique_ptr<Policy> makeAccordionPolicy(PolicySetup setup);

namespace {

struct PolicyEntry {
    const char* name;
    std::unique_ptr<Policy> (*make)(PolicySetup setup);
};
constexpr std::array kPolicies = {
    PolicyEntry{"static", makeStaticPolicy}, PolicyEntry{"schedule", makeSchedulePolicy},
    PolicyEntry{"window", makeWindowPolicy}, PolicyEntry{"random", makeRandomPolicy},
    PolicyEntry{"accordion", makeAccordionPolicy}};

}  // namespace

std::unique_ptr<Policy> makePolicy(const RunSpec& spec, std::vector<PolicyLayer> layers) {
    CONCERTINA_CHECK(!spec.levels.empty(), "no level to choose");
    const auto* found =
        std::find_if(kPolicies.begin(), kPolicies.end(),
                     [&spec](const PolicyEntry& entry) { return spec.policy.name == entry.name; });
    CONCERTINA_CHECK(found != kPolicies.end(), "no policy '" + spec.policy.name + "'");
    return found->make({.options = spec.policy.options,
                        .levelCount = static_cast<int>(spec.levels.size()),
                        .seed = spec.seed,
                        .layers = std::move(layers)});
}

}  // namespace concertina
