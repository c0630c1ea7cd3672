// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "core/catalogue/catalogue.h"
#include "core/catalogue/check.h"

namespace concertina {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> conflictsOf(const Settings& changed) {
    Settings train = defaultsOf(trainParameters());
    for (const auto& [key, value] : changed) {
        train[key] = value;
    }
    std::vector<std::string> sentences;
    for (const auto& [key, sentence] : trainConflicts(train)) {
        sentences.push_back(key + ": " + sentence);
    }
    return sentences;
}

TEST(TrainParameters, DefaultsGoTogether) { EXPECT_THAT(conflictsOf({}), IsEmpty()); }

TEST(TrainParameters, DecayEpochsRiseAndBelongToMultiStep) {
    const std::vector<std::int64_t> falling{4, 9, 9}, rising{4, 9};
    EXPECT_THAT(
        conflictsOf({{"lr_decay_epochs", falling}}),
        ElementsAre("lr_decay_epochs: found 9 after 9, allowed: strictly increasing epochs"));
    EXPECT_THAT(conflictsOf({{"lr_decay_epochs", rising}, {"lr_schedule", std::string("cosine")}}),
                ElementsAre("lr_decay_epochs: found 2 epochs with lr_schedule cosine, allowed "
                            "there: none (only multi-step decays at epochs)"));
}

TEST(TrainParameters, WarmUpFitsIntoTheRunAndOneCycleHasItsOwn) {
    const auto four = std::int64_t{4};
    EXPECT_THAT(conflictsOf({{"lr_warmup_epochs", four}, {"epochs", four}}), IsEmpty());
    EXPECT_THAT(conflictsOf({{"lr_warmup_epochs", std::int64_t{5}}, {"epochs", four}}),
                ElementsAre("lr_warmup_epochs: found 5 of 4 epochs, allowed: at most all of them"));
    EXPECT_THAT(
        conflictsOf({{"lr_warmup_epochs", four}, {"lr_schedule", std::string("one-cycle")}}),
        ElementsAre("lr_warmup_epochs: found 4 with lr_schedule one-cycle, allowed there: 0 (it "
                    "rises by itself)"));
}

TEST(TrainParameters, NesterovNeedsSgdOrLarsWithMomentum) {
    EXPECT_THAT(conflictsOf({{"nesterov", true}}), IsEmpty());
    EXPECT_THAT(conflictsOf({{"nesterov", true}, {"optimizer", std::string("lars")}}), IsEmpty());
    EXPECT_THAT(conflictsOf({{"nesterov", true}, {"momentum", 0.0}}),
                ElementsAre("nesterov: found true with momentum 0, allowed: momentum above 0"));
    EXPECT_THAT(conflictsOf({{"nesterov", true}, {"optimizer", std::string("adamw")}}),
                ElementsAre("nesterov: found true with optimizer adamw, allowed there: false"));
}

}  // namespace
}  // namespace concertina
