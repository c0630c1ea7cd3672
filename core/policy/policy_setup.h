// SPDX-License-Identifier: Apache-2.0
// PolicySetup: what every policy of this folder is made from. makePolicy() fills it; a policy keeps
// it for life. Plain data, any thread.
#pragma once
#include <cstdint>
#include <vector>

#include "core/policy/policy.h"

namespace concertina {

constexpr int kMildLevel = 0;

struct PolicySetup {
    Settings options;  // of [policy]
    int levelCount = 1;
    std::uint64_t seed = 0;  // of the run
    std::vector<PolicyLayer> layers;

    int strongestLevel() const { return levelCount - 1; }
    /// One decision for each compressible layer.
    std::vector<Decision> decideAll(int epoch, int level, Reason reason) const;
};

}  // namespace concertina
