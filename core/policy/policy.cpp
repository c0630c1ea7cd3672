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

constexpr std::array<std::pair<Reason, const char*>, 8> kReasonNames{
    {{Reason::Initial, "initial"},
     {Reason::Critical, "critical"},
     {Reason::Stable, "stable"},
     {Reason::LrDecay, "lr-decay"},
     {Reason::ZeroNorm, "zero-norm"},
     {Reason::NonFinite, "non-finite"},
     {Reason::Fixed, "fixed"},
     {Reason::Manual, "manual"}}};

constexpr std::array<std::pair<const char*, PolicyFactory>, 2> kFactories{
    {{"static", makeStaticPolicy}, {"accordion", makeAccordionPolicy}}};

}  // namespace

const char* toText(Reason reason) {
    const auto* found = std::find_if(kReasonNames.begin(), kReasonNames.end(),
                                     [reason](const auto& row) { return row.first == reason; });
    CONCERTINA_CHECK(found != kReasonNames.end(), "unknown reason");
    return found->second;
}

std::optional<Reason> reasonFromText(const std::string& text) {
    const auto* found = std::find_if(kReasonNames.begin(), kReasonNames.end(),
                                     [&text](const auto& row) { return text == row.second; });
    return found == kReasonNames.end() ? std::nullopt : std::optional(found->first);
}

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
