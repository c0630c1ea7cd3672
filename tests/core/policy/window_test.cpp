// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/policy_of.h"

namespace concertina {
namespace {

RunSpec window(std::int64_t afterStart, std::int64_t afterDecay, std::size_t levels = 2) {
    return specWithPolicy(
        "window", {{"epochs_after_start", afterStart}, {"epochs_after_lr_decay", afterDecay}},
        levels);
}

/// 0.1, from `fall` on a tenth.
std::function<double(int)> fallingFrom(int fall) {
    return [fall](int epoch) { return epoch < fall ? 0.1 : 0.01; };
}

TEST(Window, IsMildAfterTheStartAndAfterEachFall) {
    EXPECT_EQ(timelineOf(window(2, 3), 10, fallingFrom(5)),
              (std::vector<int>{0, 0, 1, 1, 1, 0, 0, 0, 1, 1}));
    EXPECT_EQ(timelineOf(window(2, 0), 8, fallingFrom(5)),
              (std::vector<int>{0, 0, 1, 1, 1, 1, 1, 1}));
    EXPECT_EQ(timelineOf(window(0, 2), 8, fallingFrom(5)),
              (std::vector<int>{1, 1, 1, 1, 1, 0, 0, 1}));
    EXPECT_EQ(timelineOf(window(1, 1, 4), 4, fallingFrom(2)), (std::vector<int>{0, 3, 0, 3}));
}

TEST(Window, AFallInsideAWindowOnlyExtendsIt) {
    EXPECT_EQ(timelineOf(window(4, 1), 6, fallingFrom(2)), (std::vector<int>{0, 0, 0, 0, 1, 1}));
    EXPECT_EQ(timelineOf(window(4, 5), 9, fallingFrom(2)),
              (std::vector<int>{0, 0, 0, 0, 0, 0, 0, 1, 1}));
    // A rate that falls in every epoch keeps every epoch mild, one that rises none.
    EXPECT_EQ(timelineOf(window(1, 1), 5, [](int epoch) { return 1.0 / (1 + epoch); }),
              std::vector<int>(5, 0));
    EXPECT_EQ(timelineOf(window(1, 1), 3, [](int epoch) { return 1.0 + epoch; }),
              (std::vector<int>{0, 1, 1}));
}

TEST(Window, SaysWhy) {
    const auto policy = policyOf(window(1, 1));
    EXPECT_EQ(policy->start().at(0).reason, Reason::Fixed);
    EXPECT_EQ(policy->endOfEpoch(signalsOf(0, {1})).at(0).reason, Reason::Fixed);
    const auto fall = policy->endOfEpoch(signalsOf(1, {1}, 0.1, 0.01));
    EXPECT_EQ(fall.at(0).reason, Reason::LrDecay);
    EXPECT_EQ(fall.at(0).epoch, 2);
    EXPECT_EQ(policy->endOfEpoch(signalsOf(2, {1})).at(0).reason, Reason::Fixed);
    EXPECT_TRUE(policy->endOfEpoch(signalsOf(3, {1})).empty());
}

/// The schedule that Accordion comes down to where only the windows are critical.
TEST(Window, RepeatsTheTimelineOfTheAuthorsCode) {
    const std::vector<int> levels = timelineOf(window(21, 19), 300, authorsRate);
    const auto accordion = timelineOf(specWithPolicy("accordion"), 300, authorsRate, [](int epoch) {
        return epoch < 10 ? 6.0 : epoch < 152 ? 1.0 : epoch < 252 ? 0.3 : 0.1;
    });
    EXPECT_EQ(std::count(levels.begin(), levels.end(), 0), 59);
    EXPECT_EQ(levels, accordion);
}

}  // namespace
}  // namespace concertina
