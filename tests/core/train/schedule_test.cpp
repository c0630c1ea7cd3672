// SPDX-License-Identifier: Apache-2.0
#include "core/train/schedule.h"

#include <gtest/gtest.h>

#include <cmath>

namespace concertina {
namespace {

RunSpec specWith(const std::string& schedule, std::int64_t epochs, std::int64_t warmUp = 0) {
    RunSpec spec = defaultRunSpec();
    spec.train["lr"] = 0.5;
    spec.train["lr_schedule"] = schedule;
    spec.train["lr_decay_epochs"] = std::vector<std::int64_t>{};
    spec.train["epochs"] = epochs;
    spec.train["lr_warmup_epochs"] = warmUp;
    spec.train["lr_warmup_start"] = 0.25;
    return spec;
}

TEST(Schedule, DecayEpochIsTheFirstOneAtTheLowerRate) {
    RunSpec spec = specWith("multi-step", 7);
    spec.train["lr_decay_factor"] = 0.25;
    spec.train["lr_decay_epochs"] = std::vector<std::int64_t>{2, 5};
    const std::vector<double> expected{0.5, 0.5, 0.125, 0.125, 0.125, 0.03125, 0.03125};
    for (std::size_t epoch = 0; epoch < expected.size(); ++epoch) {
        EXPECT_EQ(learningRateOf(spec, static_cast<double>(epoch)), expected[epoch]);
        EXPECT_EQ(learningRateOf(spec, static_cast<double>(epoch) + 0.99), expected[epoch]);
    }
}

TEST(Schedule, CosineIsHighestAtTheStartHalfwayInTheMiddleAndEndsAtItsShare) {
    RunSpec spec = specWith("cosine", 8);
    EXPECT_EQ(learningRateOf(spec, 0), 0.5);
    EXPECT_NEAR(learningRateOf(spec, 4), 0.25, 1e-15);
    EXPECT_NEAR(learningRateOf(spec, 2), 0.5 * (1 + std::sqrt(0.5)) / 2, 1e-15);
    EXPECT_NEAR(learningRateOf(spec, 8), 0, 1e-15);
    spec.train["lr_end"] = 0.2;
    EXPECT_NEAR(learningRateOf(spec, 4), 0.3, 1e-15);
    EXPECT_NEAR(learningRateOf(spec, 8), 0.1, 1e-15);
}

TEST(Schedule, PolynomialFallsWithThePowerOfWhatIsLeft) {
    RunSpec spec = specWith("polynomial", 4);
    EXPECT_NEAR(learningRateOf(spec, 1), 0.375, 1e-15);
    spec.train["lr_power"] = 2.0;
    spec.train["lr_end"] = 0.2;
    EXPECT_NEAR(learningRateOf(spec, 3), 0.5 * (0.2 + 0.8 / 16), 1e-15);
}

TEST(Schedule, OneCycleRisesInThreeTenthsAndFallsToNearlyNothing) {
    const RunSpec spec = specWith("one-cycle", 10);
    EXPECT_NEAR(learningRateOf(spec, 0), 0.5 / 25, 1e-15);
    EXPECT_NEAR(learningRateOf(spec, 1.5), (0.5 + 0.5 / 25) / 2, 1e-15);
    EXPECT_NEAR(learningRateOf(spec, 3), 0.5, 1e-15);
    EXPECT_NEAR(learningRateOf(spec, 6.5), (0.5 + 0.5 / 250000) / 2, 1e-15);
    EXPECT_NEAR(learningRateOf(spec, 10), 0.5 / 250000, 1e-15);
}

TEST(Schedule, WarmUpRisesInEveryStepToWhereTheScheduleBegins) {
    for (const char* schedule : {"multi-step", "cosine", "polynomial"}) {
        const RunSpec spec = specWith(schedule, 12, 4);
        EXPECT_NEAR(learningRateOf(spec, 0), 0.125, 1e-15) << schedule;
        EXPECT_NEAR(learningRateOf(spec, 2), (0.125 + 0.5) / 2, 1e-15) << schedule;
        EXPECT_NEAR(learningRateOf(spec, 4), 0.5, 1e-15) << schedule;
    }
    EXPECT_NEAR(learningRateOf(specWith("cosine", 12, 4), 8), 0.25, 1e-15);
    // All of the run is warm-up: nothing of the schedule is left to divide by.
    EXPECT_NEAR(learningRateOf(specWith("cosine", 4, 4), 2), (0.125 + 0.5) / 2, 1e-15);
}

}  // namespace
}  // namespace concertina
