// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

#include "core/policy/policy.h"

namespace concertina {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

Choice accordion(double eta, std::int64_t interval) {
    return {"accordion",
            {{"eta", eta}, {"interval_epochs", interval}, {"norm", std::string("rank0-local")}}};
}

EpochSignals signals(int epoch,
                     const std::vector<double>& norms,
                     double rate = 0.1,
                     double nextRate = 0.1) {
    return {.epoch = epoch, .norms = norms, .learningRate = rate, .nextLearningRate = nextRate};
}

/// The decision on one layer whose norm was `previous` at the end of epoch 0 and is `norm` at the
/// end of epoch 1.
Decision decide(double previous, double norm, std::size_t levels = 2, double eta = 0.5) {
    const auto policy = makePolicy(accordion(eta, 1), levels, {true});
    policy->start();
    EXPECT_TRUE(policy->endOfEpoch(signals(0, {previous})).empty());
    const auto decisions = policy->endOfEpoch(signals(1, {norm}));
    EXPECT_EQ(decisions.size(), 1U);
    return decisions.at(0);
}

TEST(Accordion, StartsMildWithOneDecisionPerCompressibleLayer) {
    const auto decisions = makePolicy(accordion(0.5, 10), 2, {true, false, true})->start();
    ASSERT_EQ(decisions.size(), 2U);
    EXPECT_EQ(decisions[0].layer, 0);
    EXPECT_EQ(decisions[1].layer, 2);
    for (const Decision& decision : decisions) {
        EXPECT_EQ(decision.epoch, 0);
        EXPECT_EQ(decision.level, 0);
        EXPECT_EQ(decision.reason, Reason::Initial);
        EXPECT_FALSE(decision.norm.has_value());
    }
}

TEST(Accordion, AChangeOfEtaOrMoreIsCriticalInEitherDirection) {
    EXPECT_EQ(decide(2, 1).reason, Reason::Critical);  // exactly eta
    EXPECT_EQ(decide(2, 1).level, 0);
    EXPECT_EQ(decide(2, 1.01).reason, Reason::Stable);
    EXPECT_EQ(decide(2, 1.01).level, 1);
    EXPECT_EQ(decide(2, 3).reason, Reason::Critical);  // the paper's absolute value: growth counts
    EXPECT_EQ(decide(2, 2.99).reason, Reason::Stable);
    EXPECT_EQ(decide(2, 9).reason, Reason::Critical);
    EXPECT_EQ(decide(2, 1.01, 2, 0.1).reason, Reason::Critical);
}

TEST(Accordion, ADecisionRecordsItsEvidence) {
    const Decision decision = decide(4, 1);
    EXPECT_EQ(decision.epoch, 2);
    EXPECT_EQ(decision.layer, 0);
    EXPECT_EQ(decision.norm, 1.0);
    EXPECT_EQ(decision.previousNorm, 4.0);
    EXPECT_EQ(decision.normEpoch, 1);
    EXPECT_EQ(decision.previousEpoch, 0);
    EXPECT_EQ(decision.ratio, 0.75);
    EXPECT_EQ(decision.eta, 0.5);
}

TEST(Accordion, StableTakesTheLastOfManyLevels) {
    EXPECT_EQ(decide(2, 2, 5).level, 4);
    EXPECT_EQ(decide(2, 1, 5).level, 0);
}

TEST(Accordion, ANormThatCannotBeComparedStaysMildAndSaysWhy) {
    for (const auto& [previous, norm] : {std::pair{0.0, 0.0}, {0.0, 3.0}, {3.0, 0.0}}) {
        EXPECT_EQ(decide(previous, norm, 2, 5.0).reason, Reason::ZeroNorm);
        EXPECT_EQ(decide(previous, norm, 2, 5.0).level, 0);
    }
    EXPECT_FALSE(decide(0, 3).ratio.has_value());
    for (const auto& [previous, norm] :
         {std::pair{kNan, 1.0}, {1.0, kNan}, {kInf, 1.0}, {1.0, kInf}, {0.0, kNan}}) {
        EXPECT_EQ(decide(previous, norm).reason, Reason::NonFinite);
        EXPECT_EQ(decide(previous, norm).level, 0);
        EXPECT_FALSE(decide(previous, norm).ratio.has_value());
    }
    EXPECT_TRUE(std::isnan(*decide(1, kNan).norm));
}

TEST(Accordion, ComparesOneIntervalBackAndIgnoresTheEpochsBetween) {
    const auto policy = makePolicy(accordion(0.5, 2), 2, {true});
    policy->start();
    EXPECT_TRUE(policy->endOfEpoch(signals(0, {8})).empty());
    EXPECT_TRUE(policy->endOfEpoch(signals(1, {1000})).empty());
    const auto first = policy->endOfEpoch(signals(2, {7}));
    EXPECT_EQ(first.at(0).reason, Reason::Stable);
    EXPECT_EQ(first.at(0).epoch, 3);
    EXPECT_TRUE(policy->endOfEpoch(signals(3, {0})).empty());
    const auto second = policy->endOfEpoch(signals(4, {2}));
    EXPECT_EQ(second.at(0).reason, Reason::Critical);
    EXPECT_EQ(second.at(0).previousNorm, 7.0);
    EXPECT_EQ(second.at(0).previousEpoch, 2);
}

TEST(Accordion, AFallingLearningRateMakesEveryLayerMildUntilTheNextDetection) {
    const auto policy = makePolicy(accordion(0.5, 2), 2, {true, true, false});
    policy->start();
    policy->endOfEpoch(signals(0, {1, 1, 1}));
    policy->endOfEpoch(signals(1, {1, 1, 1}));
    // Norm decision first, then the rate wins: one decision a layer, with what was measured.
    const auto both = policy->endOfEpoch(signals(2, {1, 1, 1}, 0.1, 0.01));
    ASSERT_EQ(both.size(), 2U);
    EXPECT_EQ(both[1].reason, Reason::LrDecay);
    EXPECT_EQ(both[1].level, 0);
    EXPECT_EQ(both[1].ratio, 0.0);
    EXPECT_TRUE(policy->endOfEpoch(signals(3, {1, 1, 1}, 0.01, 0.01)).empty());
    EXPECT_EQ(policy->endOfEpoch(signals(4, {1, 1, 1}, 0.01, 0.01)).at(0).reason, Reason::Stable);
    // Between detections there is no norm to report. A rising rate (warm-up) triggers nothing.
    const auto between = policy->endOfEpoch(signals(5, {1, 1, 1}, 0.01, 0.001));
    ASSERT_EQ(between.size(), 2U);
    EXPECT_EQ(between[0].reason, Reason::LrDecay);
    EXPECT_EQ(between[0].epoch, 6);
    EXPECT_FALSE(between[0].norm.has_value());
    EXPECT_EQ(policy->endOfEpoch(signals(6, {1, 1, 1}, 0.001, 0.1)).at(0).reason, Reason::Stable);
}

TEST(Accordion, ARateThatFallsAfterEpochZeroIsDecidedToo) {
    const auto policy = makePolicy(accordion(0.5, 10), 2, {true});
    policy->start();
    EXPECT_EQ(policy->endOfEpoch(signals(0, {1}, 0.1, 0.01)).at(0).reason, Reason::LrDecay);
}

TEST(Accordion, RefusesEpochsOutOfOrderAndMissingNorms) {
    const auto policy = makePolicy(accordion(0.5, 2), 2, {true, true});
    EXPECT_THROW(policy->endOfEpoch(signals(1, {1, 1})), std::logic_error);
    EXPECT_THROW(policy->endOfEpoch(signals(0, {1})), std::logic_error);
}

/// Level of each epoch of a run with one layer.
std::vector<int> timeline(int epochs,
                          std::int64_t interval,
                          const std::function<double(int)>& norm,
                          const std::function<double(int)>& rate) {
    const auto policy = makePolicy(accordion(0.5, interval), 2, {true});
    int level = policy->start().at(0).level;
    std::vector<int> levels;
    for (int epoch = 0; epoch < epochs; ++epoch) {
        levels.push_back(level);
        const double norms = norm(epoch);
        for (const Decision& decision :
             policy->endOfEpoch(signals(epoch, {norms}, rate(epoch), rate(epoch + 1)))) {
            EXPECT_EQ(decision.epoch, epoch + 1);
            level = decision.level;
        }
    }
    return levels;
}

/// methods.md §1.2: 300 epochs, interval 10, the rate falls for epochs 152 and 252, and the norm
/// changes only in the first window and in the windows around the falls: mild in 0-20, 152-170 and
/// 252-270.
TEST(Accordion, FollowsTheTimelineOfTheAuthorsCode) {
    const auto rate = [](int epoch) { return epoch < 152 ? 0.4 : epoch < 252 ? 0.04 : 0.004; };
    const auto norm = [](int epoch) {
        return epoch < 10 ? 6.0 : epoch < 152 ? 1.0 : epoch < 252 ? 0.3 : 0.1;
    };
    const std::vector<int> levels = timeline(300, 10, norm, rate);
    for (int epoch = 0; epoch < 300; ++epoch) {
        const bool mild =
            epoch <= 20 || (epoch >= 152 && epoch <= 170) || (epoch >= 252 && epoch <= 270);
        EXPECT_EQ(levels[static_cast<std::size_t>(epoch)], mild ? 0 : 1) << epoch;
    }
    EXPECT_EQ(std::count(levels.begin(), levels.end(), 0), 59);
}

}  // namespace
}  // namespace concertina
