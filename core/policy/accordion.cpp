// SPDX-License-Identifier: Apache-2.0
// Accordion (arXiv 2010.16248) as the authors' code runs it (methods.md §1.2): at the end of epoch
// e, a multiple of the interval, each layer's norm of epoch e is compared with that of epoch e -
// interval; the epochs between are ignored. Epochs 0 .. interval are mild, because the first
// comparison takes effect in interval + 1.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/check.h"
#include "core/policy/policy.h"

namespace concertina {
namespace {

constexpr int kMildLevel = 0;

class AccordionPolicy : public Policy {
 public:
    AccordionPolicy(double eta, int intervalEpochs, int strongLevel, std::vector<bool> compressible)
        : eta_(eta),
          intervalEpochs_(intervalEpochs),
          strongLevel_(strongLevel),
          compressible_(std::move(compressible)) {}

    std::vector<Decision> start() override { return forEachLayer(0, Reason::Initial); }

    std::vector<Decision> endOfEpoch(const EpochSignals& signals) override {
        CONCERTINA_CHECK(signals.epoch == epoch_ + 1,
                         "epoch " + std::to_string(signals.epoch) + " out of order");
        CONCERTINA_CHECK(signals.norms.size() == compressible_.size(), "one norm for each layer");
        epoch_ = signals.epoch;
        const bool detect = epoch_ % intervalEpochs_ == 0;
        std::vector<Decision> decisions;
        if (detect && epoch_ > 0) {
            decisions = compareNorms(signals.norms);
        }
        if (detect) {
            previousNorms_.assign(signals.norms.begin(), signals.norms.end());
        }
        if (signals.nextLearningRate < signals.learningRate) {
            decisions = overrule(std::move(decisions));
        }
        return decisions;
    }

 private:
    std::vector<Decision> forEachLayer(int epoch, Reason reason) const {
        std::vector<Decision> decisions;
        for (std::size_t layer = 0; layer < compressible_.size(); ++layer) {
            if (compressible_[layer]) {
                decisions.push_back({.epoch = epoch,
                                     .layer = static_cast<int>(layer),
                                     .level = kMildLevel,
                                     .reason = reason});
            }
        }
        return decisions;
    }

    std::vector<Decision> compareNorms(std::span<const double> norms) const {
        std::vector<Decision> decisions = forEachLayer(epoch_ + 1, Reason::Critical);
        for (Decision& decision : decisions) {
            const auto layer = static_cast<std::size_t>(decision.layer);
            compare(decision, previousNorms_[layer], norms[layer]);
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
            decision.level = strongLevel_;
        }
    }

    /// The learning-rate rule wins until the next detection. What a detection of the same epoch
    /// measured stays recorded.
    std::vector<Decision> overrule(std::vector<Decision> decisions) const {
        if (decisions.empty()) {
            return forEachLayer(epoch_ + 1, Reason::LrDecay);
        }
        for (Decision& decision : decisions) {
            decision.level = kMildLevel;
            decision.reason = Reason::LrDecay;
        }
        return decisions;
    }

    double eta_;
    int intervalEpochs_;
    int strongLevel_;
    std::vector<bool> compressible_;
    int epoch_ = -1;                     // the last that ended
    std::vector<double> previousNorms_;  // of the last multiple of the interval
};

}  // namespace

std::unique_ptr<Policy> makeAccordionPolicy(const Settings& options,
                                            std::size_t levelCount,
                                            std::vector<bool> compressible) {
    return std::make_unique<AccordionPolicy>(
        realOf(options, "eta"), static_cast<int>(integerOf(options, "interval_epochs")),
        static_cast<int>(levelCount) - 1, std::move(compressible));
}

}  // namespace concertina
