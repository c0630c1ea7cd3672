// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "core/base/check.h"
#include "core/policy/policy_setup.h"

namespace concertina {
namespace {

class StaticPolicy : public Policy {
 public:
    explicit StaticPolicy(PolicySetup setup)
        : setup_(std::move(setup)), level_(static_cast<int>(integerOf(setup_.options, "level"))) {
        CONCERTINA_CHECK(level_ >= 0 && level_ < setup_.levelCount,
                         "level " + std::to_string(level_));
    }

    std::vector<Decision> start() override { return setup_.decideAll(0, level_, Reason::Fixed); }

    std::vector<Decision> endOfEpoch(const EpochSignals& /*signals*/) override { return {}; }

 private:
    PolicySetup setup_;
    int level_;
};

}  // namespace

std::unique_ptr<Policy> makeStaticPolicy(PolicySetup setup) {
    return std::make_unique<StaticPolicy>(std::move(setup));
}

}  // namespace concertina
