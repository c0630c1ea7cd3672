// SPDX-License-Identifier: Apache-2.0
// Mild for a given time after the start and after each fall of the learning rate, strong otherwise,
// whatever the norms do: the control that Accordion must beat, for on some networks Accordion is no
// more than this (methods.md §1.7).
#include <algorithm>
#include <utility>

#include "core/policy/policy_setup.h"

namespace concertina {
namespace {

class WindowPolicy : public Policy {
 public:
    explicit WindowPolicy(PolicySetup setup)
        : setup_(std::move(setup)),
          epochsAfterFall_(static_cast<int>(integerOf(setup_.options, "epochs_after_lr_decay"))),
          mildUntil_(static_cast<int>(integerOf(setup_.options, "epochs_after_start"))) {}

    std::vector<Decision> start() override {
        return setup_.decideAll(0, mildUntil_ > 0 ? kMildLevel : setup_.strongestLevel(),
                                Reason::Fixed);
    }

    std::vector<Decision> endOfEpoch(const EpochSignals& signals) override {
        const int next = signals.epoch + 1;
        if (signals.nextLearningRate < signals.learningRate && epochsAfterFall_ > 0) {
            mildUntil_ = std::max(mildUntil_, next + epochsAfterFall_);
            return setup_.decideAll(next, kMildLevel, Reason::LrDecay);
        }
        return next == mildUntil_ ? setup_.decideAll(next, setup_.strongestLevel(), Reason::Fixed)
                                  : std::vector<Decision>();
    }

 private:
    PolicySetup setup_;
    int epochsAfterFall_;
    int mildUntil_;  // the first strong epoch
};

}  // namespace

std::unique_ptr<Policy> makeWindowPolicy(PolicySetup setup) {
    return std::make_unique<WindowPolicy>(std::move(setup));
}

}  // namespace concertina
