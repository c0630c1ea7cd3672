// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/explain.h"

#include <gtest/gtest.h>

#include <limits>

namespace concertina {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// conv2 is decided every second epoch from epoch 8 (shown as 9) on; fc.bias never.
class Explain : public testing::Test {
 protected:
    Explain() {
        for (int epoch = 6; epoch < 12; ++epoch) {
            EpochRow row;
            row.epoch = epoch;
            row.learningRate = epoch < 8 ? 0.1 : 0.01;
            epochs.push_back(row);
            layerEpochs.push_back({epoch, 2, 1, 0, "rank 4", 300e3, 600e3, 9e6, 150e3, 600e3});
            layerEpochs.push_back({epoch, 3, 1, -1, "dense", 40, 40, 40, 40, 40});
        }
    }

    /// The sentence for epoch 8, where `decision` was made and held for two epochs.
    std::string sentence(Decision decision, int ranks = 2, int levels = 2) {
        decision.epoch = 8;
        decision.layer = 2;
        Decision next = decision;
        next.epoch = 10;
        const std::vector<Decision> decisions = {decision, next};
        return explainEpoch({layers, epochs, layerEpochs, decisions, ranks, levels}, 2, 8);
    }

    static Decision because(Reason reason, int level = 0) {
        Decision decision;
        decision.level = level;
        decision.reason = reason;
        return decision;
    }
    static Decision measured(Reason reason, double ratio, int level) {
        Decision decision = because(reason, level);
        decision.norm = 1;
        decision.previousNorm = 2;
        decision.normEpoch = 7;
        decision.previousEpoch = 5;
        decision.ratio = ratio;
        decision.eta = 0.5;
        return decision;
    }

    std::vector<LayerRow> layers = {{2, "conv2.weight", {16, 6, 5, 5}, true},
                                    {3, "fc.bias", {10}, false}};
    std::vector<EpochRow> epochs;
    std::vector<LayerEpochRow> layerEpochs;
};

TEST_F(Explain, CriticalAndStableNameTheNormsThatWereCompared) {
    EXPECT_EQ(
        sentence(measured(Reason::Critical, 0.62, 0)),
        "conv2.weight, epochs 9–10: mild (rank 4): norm changed 0.62 ≥ 0.5 from epoch 6 to 8; "
        "sent 1.2 MB, strong would be 300.0 kB");
    EXPECT_EQ(
        sentence(measured(Reason::Stable, 0.21, 1)),
        "conv2.weight, epochs 9–10: strong (rank 4): norm changed 0.21 < 0.5 from epoch 6 to 8; "
        "sent 1.2 MB, mild would be 1.2 MB");
}

TEST_F(Explain, EveryOtherReasonHasItsWords) {
    const std::string begin = "conv2.weight, epochs 9–10: mild (rank 4): ";
    const std::string end = "; sent 1.2 MB, strong would be 300.0 kB";
    EXPECT_EQ(sentence(because(Reason::Initial)),
              begin + "the run began so, before any norm was known" + end);
    EXPECT_EQ(sentence(because(Reason::LrDecay)),
              begin + "learning rate fell from 0.1 to 0.01" + end);
    EXPECT_EQ(sentence(because(Reason::Fixed)), begin + "fixed by the spec" + end);
    EXPECT_EQ(sentence(measured(Reason::Fixed, 0.21, 0)),
              begin +
                  "norm changed 0.21 < 0.5 from epoch 6 to 8, but its minimum mild time is not "
                  "over" +
                  end);
    EXPECT_EQ(sentence(because(Reason::Manual)), begin + "set by hand" + end);
    Decision zero = because(Reason::ZeroNorm);
    EXPECT_EQ(sentence(zero), begin + "norm was 0, so no change can be measured" + end);
    zero.previousNorm = 0;
    zero.previousEpoch = 5;
    EXPECT_EQ(sentence(zero), begin + "norm was 0 in epoch 6, so no change can be measured" + end);
    Decision broken = measured(Reason::NonFinite, 0, 0);
    broken.norm = kNan;
    EXPECT_EQ(sentence(broken),
              begin + "norm was nan in epoch 8, so no change can be measured" + end);
    broken.previousNorm = -std::numeric_limits<double>::infinity();
    EXPECT_EQ(sentence(broken),
              begin + "norm was -inf in epoch 6, so no change can be measured" + end);
    epochs.clear();
    EXPECT_EQ(sentence(because(Reason::LrDecay)), begin + "learning rate fell" + end);
}

TEST_F(Explain, OneRankHandsOverAPayload) {
    EXPECT_EQ(sentence(because(Reason::Fixed), 1),
              "conv2.weight, epochs 9–10: mild (rank 4): fixed by the spec; payload 600.0 kB");
}

TEST_F(Explain, DenseLayersAndSingleLevelsHaveNoOtherLevelToCompare) {
    const RecordedRun run{layers, epochs, layerEpochs, {}, 2, 2};
    EXPECT_EQ(explainEpoch(run, 3, 8), "fc.bias, epoch 9: dense; sent 40 B");
    EXPECT_EQ(sentence(because(Reason::Fixed), 2, 1),
              "conv2.weight, epochs 9–10: rank 4: fixed by the spec; sent 1.2 MB");
    for (LayerEpochRow& row : layerEpochs) {
        row.effectiveLevel = "dense: not worth it";
    }
    EXPECT_EQ(sentence(because(Reason::Fixed)),
              "conv2.weight, epochs 9–10: dense: not worth it: fixed by the spec; sent 1.2 MB");
}

TEST_F(Explain, OnlyEpochsThatWereTrainedAreNamed) {
    std::erase_if(layerEpochs, [](const LayerEpochRow& row) { return row.epoch > 8; });
    EXPECT_EQ(
        sentence(because(Reason::Fixed)),
        "conv2.weight, epoch 9: mild (rank 4): fixed by the spec; sent 600.0 kB, strong would "
        "be 150.0 kB");
    layerEpochs.clear();
    EXPECT_EQ(sentence(because(Reason::Fixed)), "");
}

TEST_F(Explain, LevelsBetweenAreNumbered) {
    EXPECT_EQ(levelName(0, 3), "mild");
    EXPECT_EQ(levelName(1, 3), "level 2 of 3");
    EXPECT_EQ(levelName(2, 3), "strong");
    EXPECT_EQ(levelName(0, 1), "");
    EXPECT_EQ(levelName(-1, 2), "");
}

}  // namespace
}  // namespace concertina
