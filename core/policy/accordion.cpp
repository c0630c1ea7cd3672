// SPDX-License-Identifier: Apache-2.0
// Accordion (arXiv 2010.16248) as the authors' code runs it (methods.md §1.2): at the end of epoch
// e, a multiple of the interval, each layer's norm of epoch e is compared with that of epoch e -
// interval; the epochs between are ignored. Epochs 0 .. interval are mild, because the first
// comparison takes effect in interval + 1. What is added to it (more than two levels, a minimum
// mild time, no learning-rate rule) changes nothing unless it is asked for.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/check.h"
#include "core/policy/policy_setup.h"

namespace concertina {
namespace {

class AccordionPolicy : public Policy {
 public:
    explicit AccordionPolicy(PolicySetup setup)
        : setup_(std::move(setup)),
          eta_(realOf(setup_.options, "eta")),
          intervalEpochs_(static_cast<int>(integerOf(setup_.options, "interval_epochs"))),
          minMildEpochs_(static_cast<int>(integerOf(setup_.options, "min_mild_epochs"))),
          lrDecayRule_(booleanOf(setup_.options, "lr_decay_rule")),
          mildSince_(setup_.layers.size(), 0) {}

    std::vector<Decision> start() override {
        return setup_.decideAll(0, kMildLevel, Reason::Initial);
    }

    std::vector<Decision> endOfEpoch(const EpochSignals& signals) override {
        CONCERTINA_CHECK(signals.epoch == epoch_ + 1,
                         "epoch " + std::to_string(signals.epoch) + " out of order");
        CONCERTINA_CHECK(signals.norms.size() == setup_.layers.size(), "one norm for each layer");
        epoch_ = signals.epoch;
        const bool detect = epoch_ % intervalEpochs_ == 0;
        std::vector<Decision> decisions;
        if (detect && epoch_ > 0) {
            decisions = compareNorms(signals.norms);
        }
        if (detect) {
            previousNorms_.assign(signals.norms.begin(), signals.norms.end());
        }
        if (lrDecayRule_ && signals.nextLearningRate < signals.learningRate) {
            decisions = overrule(std::move(decisions));
        }
        remember(decisions);
        return decisions;
    }

 private:
    std::vector<Decision> compareNorms(std::span<const double> norms) const {
        auto decisions = setup_.decideAll(epoch_ + 1, kMildLevel, Reason::Critical);
        for (Decision& decision : decisions) {
            const auto layer = static_cast<std::size_t>(decision.layer);
            compare(decision, previousNorms_[layer], norms[layer]);
            if (decision.level > kMildLevel && mustStayMild(layer)) {
                decision.level = kMildLevel;
                decision.reason = Reason::Fixed;
            }
        }
        return decisions;
    }

    /// The absolute value is in the paper: a norm that grows is critical as well. A norm of zero or
    /// NaN cannot be compared, so such a layer stays mild, and says why.
    void compare(Decision& decision, double previous, double norm) const {
        decision.norm = norm;
        decision.previousNorm = previous;
        decision.normEpoch = epoch_;
        decision.previousEpoch = epoch_ - intervalEpochs_;
        decision.eta = eta_;
        if (!std::isfinite(previous) || !std::isfinite(norm)) {
            decision.reason = Reason::NonFinite;
            return;
        }
        if (previous != 0) {
            decision.ratio = std::abs(previous - norm) / previous;
        }
        if (previous == 0 || norm == 0) {
            decision.reason = Reason::ZeroNorm;
        } else if (*decision.ratio < eta_) {
            decision.reason = Reason::Stable;
            decision.level = stableLevel(*decision.ratio);
        }
    }

    /// The first level after the mildest just below eta, one more with each halving of the ratio:
    /// levels are chosen by factors too. With two levels this is the paper's rule.
    int stableLevel(double ratio) const {
        int level = kMildLevel;
        for (double bound = eta_; ratio < bound && level < setup_.strongestLevel(); bound /= 2) {
            ++level;
        }
        return level;
    }

    bool mustStayMild(std::size_t layer) const {
        return mildSince_[layer] && epoch_ + 1 - *mildSince_[layer] < minMildEpochs_;
    }

    /// The learning-rate rule wins until the next detection. What a detection of the same epoch
    /// measured stays recorded.
    std::vector<Decision> overrule(std::vector<Decision> decisions) const {
        if (decisions.empty()) {
            return setup_.decideAll(epoch_ + 1, kMildLevel, Reason::LrDecay);
        }
        for (Decision& decision : decisions) {
            decision.level = kMildLevel;
            decision.reason = Reason::LrDecay;
        }
        return decisions;
    }

    void remember(const std::vector<Decision>& decisions) {
        for (const Decision& decision : decisions) {
            std::optional<int>& since = mildSince_[static_cast<std::size_t>(decision.layer)];
            if (decision.level != kMildLevel) {
                since.reset();
            } else if (!since) {
                since = decision.epoch;
            }
        }
    }

    PolicySetup setup_;
    double eta_;
    int intervalEpochs_;
    int minMildEpochs_;
    bool lrDecayRule_;
    int epoch_ = -1;                             // the last that ended
    std::vector<double> previousNorms_;          // of the last multiple of the interval
    std::vector<std::optional<int>> mildSince_;  // per layer, the first epoch of its mild stretch
};

}  // namespace

std::unique_ptr<Policy> makeAccordionPolicy(PolicySetup setup) {
    return std::make_unique<AccordionPolicy>(std::move(setup));
}

}  // namespace concertina
