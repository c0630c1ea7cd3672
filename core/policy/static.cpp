// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "core/base/check.h"
#include "core/policy/policy.h"

namespace concertina {
namespace {

class StaticPolicy : public Policy {
 public:
    StaticPolicy(int level, std::vector<bool> compressible)
        : level_(level), compressible_(std::move(compressible)) {}

    std::vector<Decision> start() override {
        std::vector<Decision> decisions;
        for (std::size_t layer = 0; layer < compressible_.size(); ++layer) {
            if (compressible_[layer]) {
                decisions.push_back(
                    {.layer = static_cast<int>(layer), .level = level_, .reason = Reason::Fixed});
            }
        }
        return decisions;
    }

    std::vector<Decision> endOfEpoch(const EpochSignals& /*signals*/) override { return {}; }

 private:
    int level_;
    std::vector<bool> compressible_;
};

}  // namespace

std::unique_ptr<Policy> makeStaticPolicy(const Settings& options,
                                         std::size_t levelCount,
                                         std::vector<bool> compressible) {
    const std::int64_t level = integerOf(options, "level");
    CONCERTINA_CHECK(level >= 0 && static_cast<std::size_t>(level) < levelCount,
                     "level " + std::to_string(level));
    return std::make_unique<StaticPolicy>(static_cast<int>(level), std::move(compressible));
}

}  // namespace concertina
