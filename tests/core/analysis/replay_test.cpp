// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/replay.h"

#include <gmock/gmock.h>

#include "core/base/error.h"
#include "tests/support/compress_choice.h"
#include "tests/support/policy_of.h"

namespace concertina {
namespace {

using testing::HasSubstr;

Settings rank(std::int64_t r) { return {{"rank", r}}; }

/// Five epochs of two matrices and a vector between them, decided by Accordion with eta 0.5 and
/// interval 1. Mild and strong send 100 and 10 bytes for layer 0, 1000 and 100 for layer 2.
class ReplayTest : public testing::Test {
 protected:
    ReplayTest() {
        spec = specWithPolicy("accordion", {{"interval_epochs", std::int64_t{1}}});
        spec.compress = compressorAtDefaults("powersgd");
        spec.levels = {rank(2), rank(1)};
        const double norms[] = {8, 4, 3, 3, 3};
        const int first[] = {0, 0, 0, 1, 1}, third[] = {0, 0, 1, 1, 1};
        for (int epoch = 0; epoch < 5; ++epoch) {
            EpochRow row;
            row.epoch = epoch;
            row.learningRate = 0.1;
            row.steps = 10;
            epochs.push_back(row);
            addLayer(epoch, 0, norms[epoch], first[epoch], 1);
            layerEpochs.push_back({epoch, 1, 1, -1, "dense", 7, 7, 7, 7, 7});
            addLayer(epoch, 2, 1, third[epoch], 10);
        }
        decisions = {{0, 0, 0, Reason::Initial},  {0, 2, 0, Reason::Initial},
                     {2, 0, 0, Reason::Critical}, {2, 2, 1, Reason::Stable},
                     {3, 0, 1, Reason::Stable},   {3, 2, 1, Reason::Stable}};
    }

    void addLayer(int epoch, int layer, double norm, int level, double unit) {
        layerEpochs.push_back({epoch, layer, norm, level, "rank", 5 * unit,
                               (level == 0 ? 100 : 10) * unit, 512 * unit, 10 * unit, 100 * unit});
    }

    Replay replayed(const Settings& changes = {}, int ranks = 2) const {
        return replayRun(
            withAccordion(spec, changes),
            {layers, epochs, layerEpochs, decisions, ranks, static_cast<int>(spec.levels.size())});
    }

    RunSpec spec;
    std::vector<LayerRow> layers = {
        {0, "a.weight", {8, 16}, true}, {1, "a.bias", {8}, false}, {2, "b.weight", {8, 16}, true}};
    std::vector<EpochRow> epochs;
    std::vector<LayerEpochRow> layerEpochs;
    std::vector<Decision> decisions;
};

TEST_F(ReplayTest, TheSameOptionsGiveTheSameRun) {
    const Replay replay = replayed();
    EXPECT_EQ(replay.epochs, 5);
    EXPECT_EQ(replay.basis, ByteBasis::Wire);
    EXPECT_TRUE(replay.differences.empty());
    EXPECT_EQ(replay.firstDifference(), std::nullopt);
    EXPECT_EQ(replay.total.recordedBytes, 320 + 35 + 2300);
    EXPECT_EQ(replay.total.replayedBytes, 320 + 35 + 2300);
    EXPECT_EQ(replay.total.levelEpochs, 10);
    EXPECT_EQ(replay.total.recordedMildEpochs, 5);
    EXPECT_EQ(replay.total.replayedMildEpochs, 5);
}

TEST_F(ReplayTest, ALowerEtaFindsMoreThatIsCritical) {
    const Replay replay = replayed({{"eta", 0.2}});
    ASSERT_EQ(replay.differences.size(), 1U);
    const LevelDifference& one = replay.differences[0];
    EXPECT_EQ(one.layer, 0);
    EXPECT_EQ(one.epochs, (EpochInterval{3, 4}));
    EXPECT_EQ(one.recordedLevel, 1);
    EXPECT_EQ(one.recordedReason, Reason::Stable);
    EXPECT_EQ(one.replayedLevel, 0);
    EXPECT_EQ(one.decision.reason, Reason::Critical);
    EXPECT_EQ(one.decision.ratio, 0.25);
    EXPECT_EQ(replay.firstDifference(), 3);
    EXPECT_EQ(replay.layers[0].recordedMildEpochs, 3);
    EXPECT_EQ(replay.layers[0].replayedMildEpochs, 4);
    EXPECT_EQ(replay.layers[0].recordedBytes, 320);
    EXPECT_EQ(replay.layers[0].replayedBytes, 410);
    EXPECT_EQ(replay.layers[1].levelEpochs, 0);
    EXPECT_EQ(replay.layers[1].replayedBytes, 35);
    EXPECT_EQ(replay.layers[2].replayedBytes, 2300);
    EXPECT_EQ(replay.total.replayedBytes, 2745);
}

TEST_F(ReplayTest, AnotherIntervalComparesOtherEpochsAndDifferencesAreInTheirOrder) {
    const Replay replay = replayed({{"interval_epochs", std::int64_t{2}}});
    ASSERT_EQ(replay.differences.size(), 2U);
    EXPECT_EQ(replay.differences[0].layer, 2);
    EXPECT_EQ(replay.differences[0].epochs, (EpochInterval{2, 3}));
    EXPECT_EQ(replay.differences[0].decision.reason, Reason::Initial);
    EXPECT_EQ(replay.differences[1].layer, 0);
    EXPECT_EQ(replay.differences[1].epochs, (EpochInterval{3, 5}));
    EXPECT_EQ(replay.differences[1].decision.ratio, 0.625);
    EXPECT_EQ(replay.firstDifference(), 2);
}

TEST_F(ReplayTest, AMinimumMildTimeAndAFallingRateCountToo) {
    EXPECT_EQ(replayed({{"min_mild_epochs", std::int64_t{5}}}).total.replayedMildEpochs, 10);
    epochs[4].learningRate = 0.01;
    const Replay replay = replayed();
    ASSERT_EQ(replay.differences.size(), 2U);
    EXPECT_EQ(replay.differences[0].decision.reason, Reason::LrDecay);
    EXPECT_EQ(replay.firstDifference(), 4);
}

TEST_F(ReplayTest, OneRankComparesPayloadByThePlan) {
    const Replay replay = replayed({{"eta", 0.2}}, 1);
    EXPECT_EQ(replay.basis, ByteBasis::Payload);
    EXPECT_EQ(replay.layers[0].recordedBytes, 25);
    // Rank 2 of 8 x 16 for 10 steps, in the one epoch at another level.
    EXPECT_EQ(replay.layers[0].replayedBytes, 20 + 10 * 4 * 2 * 24);
}

TEST_F(ReplayTest, ALevelBetweenIsCountedByThePlan) {
    spec.levels = {rank(4), rank(2), rank(1)};
    const Replay replay = replayed({{"eta", 1.0}});
    ASSERT_FALSE(replay.differences.empty());
    EXPECT_EQ(replay.differences[0].epochs.from, 2);
    EXPECT_EQ(replay.differences[0].replayedLevel, 1);
    // Layer 0: mild, mild, level 1 by the plan on 2 ranks, then stable at the strongest.
    EXPECT_EQ(replay.layers[0].replayedBytes, 100 + 100 + 10 * 4 * 2 * 24 + 10 + 10);
}

TEST_F(ReplayTest, AGapEndsTheReplay) {
    std::erase_if(layerEpochs,
                  [](const LayerEpochRow& row) { return row.epoch == 3 && row.layer == 2; });
    EXPECT_EQ(replayed().epochs, 3);
    layerEpochs.push_back({-1, 0, 1, 0, "", 0, 0, 0, 0, 0});
    layerEpochs.push_back({0, 99, 1, 0, "", 0, 0, 0, 0, 0});
    decisions.push_back({1, 99, 0, Reason::Stable});
    EXPECT_EQ(replayed().epochs, 3);
    epochs.erase(epochs.begin() + 2);
    EXPECT_EQ(replayed().epochs, 2);
    EXPECT_EQ(replayed().total.levelEpochs, 4);
    epochs.erase(epochs.begin());
    EXPECT_THROW(replayed(), Error);
    layerEpochs.clear();
    EXPECT_THROW(replayed(), Error);
}

std::string messageOf(const RunSpec& spec, const Settings& changes) {
    try {
        withAccordion(spec, changes);
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Usage);
        return error.what();
    }
    return "";
}

TEST_F(ReplayTest, AccordionKeepsItsKeysAndReplacesEveryOtherPolicy) {
    spec.policy.options["eta"] = 0.3;
    EXPECT_EQ(realOf(withAccordion(spec, {}).policy.options, "eta"), 0.3);
    EXPECT_EQ(realOf(withAccordion(spec, {{"eta", 0.7}}).policy.options, "eta"), 0.7);
    const RunSpec fixed = specWithPolicy("static");
    const RunSpec changed = withAccordion(fixed, {{"interval_epochs", std::int64_t{2}}});
    EXPECT_EQ(changed.policy.name, "accordion");
    EXPECT_EQ(realOf(changed.policy.options, "eta"), 0.5);
    EXPECT_EQ(integerOf(changed.policy.options, "interval_epochs"), 2);
}

TEST_F(ReplayTest, WhatCannotBeReplayedIsSaid) {
    EXPECT_THAT(messageOf(spec, {{"eta", -1.0}}),
                HasSubstr("policy.eta: found -1.0, allowed: a number above 0"));
    EXPECT_THAT(messageOf(spec, {{"interval_epochs", std::int64_t{0}}}),
                HasSubstr("policy.interval_epochs: found 0"));
    EXPECT_EQ(messageOf(specWithPolicy("static", {}, 1), {}),
              "accordion chooses between at least 2 levels, the run's spec has 1");
    PolicyDescriptor policy{.name = "other", .summary = "", .parameters = {}, .signals = {}};
    EXPECT_EQ(whyNotReplayable(policy), "");
    policy.signals = {"learning_rate", "density", "noise_scale"};
    EXPECT_EQ(whyNotReplayable(policy),
              "other cannot be replayed: it needs density, noise_scale, which runs do not record");
    for (const PolicyDescriptor& known : policies()) {
        EXPECT_EQ(whyNotReplayable(known), "") << known.name;
    }
}

}  // namespace
}  // namespace concertina
