// SPDX-License-Identifier: Apache-2.0
#include "core/train/schedule.h"

#include <gtest/gtest.h>

namespace concertina {
namespace {

TEST(Schedule, DecayEpochIsTheFirstOneAtTheLowerRate) {
    RunSpec spec = defaultRunSpec();
    spec.train["lr"] = 0.5;
    spec.train["lr_decay_factor"] = 0.25;
    spec.train["lr_decay_epochs"] = std::vector<std::int64_t>{2, 5};
    const std::vector<double> expected{0.5, 0.5, 0.125, 0.125, 0.125, 0.03125, 0.03125};
    for (std::size_t epoch = 0; epoch < expected.size(); ++epoch) {
        EXPECT_EQ(learningRateOf(spec, static_cast<int>(epoch)), expected[epoch]);
    }
}

}  // namespace
}  // namespace concertina
