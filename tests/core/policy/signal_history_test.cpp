// SPDX-License-Identifier: Apache-2.0
#include "core/policy/signal_history.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace concertina {
namespace {

TEST(SignalHistory, KeepsWhatWasToldInOrder) {
    SignalHistory history;
    std::vector<double> norms{1, 2};
    history.add({.epoch = 0, .norms = norms, .learningRate = 0.5, .nextLearningRate = 0.25});
    norms[1] = 7;  // its own by then
    EXPECT_EQ(history.epochs(), 1);
    EXPECT_EQ(history.at(0).norms[1], 2);
    EXPECT_EQ(history.at(0).nextLearningRate, 0.25);
    EXPECT_THROW(history.add({.epoch = 2, .norms = norms}), std::logic_error);
}

/// Mild until it was told a norm above 10 for a layer; then that layer is strong.
class Recalling : public Policy {
 public:
    std::vector<Decision> start() override { return {{.epoch = 0, .layer = 1, .level = 1}}; }
    std::vector<Decision> endOfEpoch(const EpochSignals& signals) override {
        std::vector<Decision> decisions;
        for (std::size_t layer = 0; layer < signals.norms.size(); ++layer) {
            if (signals.norms[layer] > 10) {
                decisions.push_back(
                    {.epoch = signals.epoch + 1, .layer = static_cast<int>(layer), .level = 2});
            }
        }
        return decisions;
    }
};

TEST(SignalHistory, ANewPolicyThatIsToldAllStandsWhereTheOldOneStood) {
    SignalHistory history;
    Recalling fresh;
    EXPECT_EQ(levelsAfter(fresh, history, 3), (std::vector<int>{0, 1, 0}));
    const std::vector<double> first{1, 2, 11}, second{1, 2, 3};
    history.add({.epoch = 0, .norms = first});
    history.add({.epoch = 1, .norms = second});
    Recalling told;
    EXPECT_EQ(levelsAfter(told, history, 3), (std::vector<int>{0, 1, 2}));
}

}  // namespace
}  // namespace concertina
