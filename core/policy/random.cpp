// SPDX-License-Identifier: Apache-2.0
// Every interval each layer is mild with a given probability, independently: the control for what
// *when* and *which layer* contribute beyond *how much*. Draws are keyed by layer and epoch, so a
// resumed run needs nothing saved.
#include <utility>

#include "core/base/seeds.h"
#include "core/policy/policy_setup.h"

namespace concertina {
namespace {

class RandomPolicy : public Policy {
 public:
    explicit RandomPolicy(PolicySetup setup)
        : setup_(std::move(setup)),
          mildShare_(realOf(setup_.options, "mild_share")),
          intervalEpochs_(static_cast<int>(integerOf(setup_.options, "interval_epochs"))) {}

    std::vector<Decision> start() override { return draw(0); }

    std::vector<Decision> endOfEpoch(const EpochSignals& signals) override {
        const int next = signals.epoch + 1;
        return next % intervalEpochs_ == 0 ? draw(next) : std::vector<Decision>();
    }

 private:
    std::vector<Decision> draw(int epoch) const {
        auto decisions = setup_.decideAll(epoch, setup_.strongestLevel(), Reason::Fixed);
        for (Decision& decision : decisions) {
            const auto stream = randomStream(setup_.seed, "policy-random",
                                             {.layer = static_cast<std::uint32_t>(decision.layer),
                                              .step = static_cast<std::uint32_t>(epoch)});
            if (kernels::uniformFromBits(stream.word(0)) < mildShare_) {
                decision.level = kMildLevel;
            }
        }
        return decisions;
    }

    PolicySetup setup_;
    double mildShare_;
    int intervalEpochs_;
};

}  // namespace

std::unique_ptr<Policy> makeRandomPolicy(PolicySetup setup) {
    return std::make_unique<RandomPolicy>(std::move(setup));
}

}  // namespace concertina
