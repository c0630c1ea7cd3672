// SPDX-License-Identifier: Apache-2.0
#include "core/policy/policy.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/check.h"

namespace concertina {

using PolicyFactory = std::unique_ptr<Policy> (*)(const Settings& options,
                                                  std::size_t levelCount,
                                                  std::vector<bool> compressible);
std::unique_ptr<Policy> makeStaticPolicy(const Settings& options,
                                         std::size_t levelCount,
                                         std::vector<bool> compressible);
std::unique_ptr<Policy> makeAccordionPolicy(const Settings& options,
                                            std::size_t levelCount,
                                            std::vector<bool> compressible);

namespace {

constexpr std::array<std::pair<const char*, PolicyFactory>, 2> kFactories{
    {{"static", makeStaticPolicy}, {"accordion", makeAccordionPolicy}}};

}  // namespace

std::unique_ptr<Policy> makePolicy(const Choice& policy,
                                   std::size_t levelCount,
                                   std::vector<bool> compressible) {
    CONCERTINA_CHECK(levelCount >= 1, "no level to choose");
    const auto* found =
        std::find_if(kFactories.begin(), kFactories.end(),
                     [&policy](const auto& row) { return policy.name == row.first; });
    CONCERTINA_CHECK(found != kFactories.end(), "no policy '" + policy.name + "'");
    return found->second(policy.options, levelCount, std::move(compressible));
}

}  // namespace concertina
