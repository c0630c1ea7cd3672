// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "tests/support/policy_of.h"
#include "tests/support/published_shapes.h"

namespace concertina {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

RunSpec accordion(double eta,
                  std::int64_t interval,
                  Settings changes = {},
                  std::size_t levels = 2) {
    changes["eta"] = eta;
    changes["interval_epochs"] = interval;
    return specWithPolicy("accordion", changes, levels);
}

/// The decision on one layer whose norm was `previous` at the end of epoch 0 and is `norm` at the
/// end of epoch 1.
Decision decide(double previous, double norm, std::size_t levels = 2, double eta = 0.5) {
    const auto policy = policyOf(accordion(eta, 1, {}, levels));
    policy->start();
    EXPECT_TRUE(policy->endOfEpoch(signalsOf(0, {previous})).empty());
    const auto decisions = policy->endOfEpoch(signalsOf(1, {norm}));
    EXPECT_EQ(decisions.size(), 1U);
    return decisions.at(0);
}

TEST(Accordion, StartsMildWithOneDecisionPerCompressibleLayer) {
    const auto decisions = policyOf(accordion(0.5, 10), {true, false, true})->start();
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
    const auto policy = policyOf(accordion(0.5, 2), {true});
    policy->start();
    EXPECT_TRUE(policy->endOfEpoch(signalsOf(0, {8})).empty());
    EXPECT_TRUE(policy->endOfEpoch(signalsOf(1, {1000})).empty());
    const auto first = policy->endOfEpoch(signalsOf(2, {7}));
    EXPECT_EQ(first.at(0).reason, Reason::Stable);
    EXPECT_EQ(first.at(0).epoch, 3);
    EXPECT_TRUE(policy->endOfEpoch(signalsOf(3, {0})).empty());
    const auto second = policy->endOfEpoch(signalsOf(4, {2}));
    EXPECT_EQ(second.at(0).reason, Reason::Critical);
    EXPECT_EQ(second.at(0).previousNorm, 7.0);
    EXPECT_EQ(second.at(0).previousEpoch, 2);
}

TEST(Accordion, AFallingLearningRateMakesEveryLayerMildUntilTheNextDetection) {
    const auto policy = policyOf(accordion(0.5, 2), {true, true, false});
    policy->start();
    policy->endOfEpoch(signalsOf(0, {1, 1, 1}));
    policy->endOfEpoch(signalsOf(1, {1, 1, 1}));
    // Norm decision first, then the rate wins: one decision a layer, with what was measured.
    const auto both = policy->endOfEpoch(signalsOf(2, {1, 1, 1}, 0.1, 0.01));
    ASSERT_EQ(both.size(), 2U);
    EXPECT_EQ(both[1].reason, Reason::LrDecay);
    EXPECT_EQ(both[1].level, 0);
    EXPECT_EQ(both[1].ratio, 0.0);
    EXPECT_TRUE(policy->endOfEpoch(signalsOf(3, {1, 1, 1}, 0.01, 0.01)).empty());
    EXPECT_EQ(policy->endOfEpoch(signalsOf(4, {1, 1, 1}, 0.01, 0.01)).at(0).reason, Reason::Stable);
    // Between detections there is no norm to report. A rising rate (warm-up) triggers nothing.
    const auto between = policy->endOfEpoch(signalsOf(5, {1, 1, 1}, 0.01, 0.001));
    ASSERT_EQ(between.size(), 2U);
    EXPECT_EQ(between[0].reason, Reason::LrDecay);
    EXPECT_EQ(between[0].epoch, 6);
    EXPECT_FALSE(between[0].norm.has_value());
    EXPECT_EQ(policy->endOfEpoch(signalsOf(6, {1, 1, 1}, 0.001, 0.1)).at(0).reason, Reason::Stable);
}

TEST(Accordion, ARateThatFallsAfterEpochZeroIsDecidedToo) {
    const auto policy = policyOf(accordion(0.5, 10), {true});
    policy->start();
    EXPECT_EQ(policy->endOfEpoch(signalsOf(0, {1}, 0.1, 0.01)).at(0).reason, Reason::LrDecay);
}

TEST(Accordion, RefusesEpochsOutOfOrderAndMissingNorms) {
    const auto policy = policyOf(accordion(0.5, 2), {true, true});
    EXPECT_THROW(policy->endOfEpoch(signalsOf(1, {1, 1})), std::logic_error);
    EXPECT_THROW(policy->endOfEpoch(signalsOf(0, {1})), std::logic_error);
}

TEST(Accordion, EveryHalvingOfTheRatioIsOneLevelStronger) {
    // Four levels and eta 0.5: mild from 0.5 on, then 0.25 and 0.125 are the bounds.
    const auto levelAt = [](double ratio) { return decide(1, 1 - ratio, 4).level; };
    EXPECT_EQ(levelAt(0.5), 0);
    EXPECT_EQ(levelAt(0.4375), 1);
    EXPECT_EQ(levelAt(0.25), 1);
    EXPECT_EQ(levelAt(0.1875), 2);
    EXPECT_EQ(levelAt(0.125), 2);
    EXPECT_EQ(levelAt(0.0625), 3);
    EXPECT_EQ(levelAt(0), 3);
    EXPECT_EQ(decide(1, 0.75, 4).reason, Reason::Stable);
    EXPECT_EQ(decide(1, 0.5, 4).reason, Reason::Critical);
    EXPECT_EQ(decide(8, 7, 3, 1.0).level, 2);
    EXPECT_EQ(decide(8, 4, 3, 1.0).level, 1);
}

TEST(Accordion, WithoutItsRuleAFallingRateChangesNothing) {
    const auto policy = policyOf(accordion(0.5, 1, {{"lr_decay_rule", false}}));
    policy->start();
    EXPECT_TRUE(policy->endOfEpoch(signalsOf(0, {1}, 0.1, 0.01)).empty());
    const auto decisions = policy->endOfEpoch(signalsOf(1, {1}, 0.01, 0.001));
    EXPECT_EQ(decisions.at(0).reason, Reason::Stable);
    EXPECT_EQ(decisions.at(0).level, 1);
}

/// Mild in epochs 0 and 1, stable from the end of epoch 1 on, but for epoch 5, whose norm jumps.
TEST(Accordion, AMildLayerStaysSoForTheMinimumTime) {
    const auto norm = [](int epoch) { return epoch < 5 ? 1.0 : 4.0; };
    const auto rate = [](int /*epoch*/) { return 0.1; };
    const auto levels = [&](std::int64_t minimum) {
        return timelineOf(accordion(0.5, 1, {{"min_mild_epochs", minimum}}), 12, rate, norm);
    };
    const std::vector<int> none{0, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1};
    EXPECT_EQ(levels(0), none);
    EXPECT_EQ(levels(1), none);
    EXPECT_EQ(levels(3), (std::vector<int>{0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1}));
    EXPECT_EQ(levels(100), std::vector<int>(12, 0));
    // Where detections are rarer, the next one ends it.
    EXPECT_EQ(timelineOf(accordion(0.5, 2, {{"min_mild_epochs", std::int64_t{4}}}), 8, rate, norm),
              (std::vector<int>{0, 0, 0, 0, 0, 1, 1, 0}));
}

TEST(Accordion, TheMinimumTimeIsGivenAsFixedWithWhatWasMeasured) {
    const auto policy = policyOf(accordion(0.5, 1, {{"min_mild_epochs", std::int64_t{9}}}));
    policy->start();
    policy->endOfEpoch(signalsOf(0, {2}));
    const Decision held = policy->endOfEpoch(signalsOf(1, {2})).at(0);
    EXPECT_EQ(held.reason, Reason::Fixed);
    EXPECT_EQ(held.level, 0);
    EXPECT_EQ(held.ratio, 0.0);
    // A decay counts as mild time too, and does not begin it anew.
    EXPECT_EQ(policy->endOfEpoch(signalsOf(2, {2}, 0.1, 0.01)).at(0).reason, Reason::LrDecay);
    for (int epoch = 3; epoch < 8; ++epoch) {
        EXPECT_EQ(policy->endOfEpoch(signalsOf(epoch, {2})).at(0).reason, Reason::Fixed);
    }
    EXPECT_EQ(policy->endOfEpoch(signalsOf(8, {2})).at(0).reason, Reason::Stable);
}

/// methods.md §1.2: 300 epochs, interval 10, the rate falls for epochs 152 and 252, and the norm
/// changes only in the first window and in the windows around the falls: mild in 0-20, 152-170 and
/// 252-270.
double authorsNorm(int epoch) {
    return epoch < 10 ? 6.0 : epoch < 152 ? 1.0 : epoch < 252 ? 0.3 : 0.1;
}

TEST(Accordion, FollowsTheTimelineOfTheAuthorsCode) {
    const std::vector<int> levels = timelineOf(accordion(0.5, 10), 300, authorsRate, authorsNorm);
    for (int epoch = 0; epoch < 300; ++epoch) {
        const bool mild =
            epoch <= 20 || (epoch >= 152 && epoch <= 170) || (epoch >= 252 && epoch <= 270);
        EXPECT_EQ(levels[static_cast<std::size_t>(epoch)], mild ? 0 : 1) << epoch;
    }
    EXPECT_EQ(std::count(levels.begin(), levels.end(), 0), 59);
}

/// Table 2: 1566.3 million floats for ResNet-18 on CIFAR-100 between rank 2 and rank 1 are exactly
/// that timeline.
TEST(Accordion, ThatTimelineSendsWhatThePaperSays) {
    const std::vector<int> levels = timelineOf(accordion(0.5, 10), 300, authorsRate, authorsNorm);
    const auto shapes = resNet18Shapes(100);
    const std::array floats{authorsPowersgdFloats(shapes, 2), authorsPowersgdFloats(shapes, 1)};
    std::int64_t sum = 0;
    for (const int level : levels) {
        sum += kAuthorsIterations * floats.at(static_cast<std::size_t>(level));
    }
    EXPECT_EQ(sum / 100000, 15663);
}

}  // namespace
}  // namespace concertina
