// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "core/base/error.h"
#include "tests/support/policy_of.h"

namespace concertina {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using List = std::vector<std::int64_t>;

RunSpec schedule(const List& epochs, const std::string& layers, const List& levels) {
    return specWithPolicy("schedule", {{"epochs", epochs}, {"layers", layers}, {"levels", levels}},
                          3);
}

const std::vector<PolicyLayer> kLayers{
    {"conv1.weight", true}, {"conv1.bias", false}, {"conv2.weight", true}, {"fc.weight", true}};

std::vector<int> levelsOf(const std::vector<Decision>& decisions) {
    std::vector<int> levels;
    for (const Decision& decision : decisions) {
        EXPECT_EQ(decision.reason, Reason::Fixed);
        levels.push_back(decision.level);
    }
    return levels;
}

TEST(Schedule, ARowForEachPatternAndAColumnForEachEpoch) {
    const auto policy = makePolicy(schedule({0, 2, 3}, "conv1* conv*  *",
                                            {0, 1, 2,  //
                                             1, 1, 0,  //
                                             2, 0, 1}),
                                   kLayers);
    EXPECT_THAT(levelsOf(policy->start()), ElementsAre(0, 1, 2));
    EXPECT_TRUE(policy->endOfEpoch(signalsOf(0, {1, 1, 1, 1})).empty());
    const auto second = policy->endOfEpoch(signalsOf(1, {1, 1, 1, 1}));
    EXPECT_THAT(levelsOf(second), ElementsAre(1, 1, 0));
    EXPECT_EQ(second[1].epoch, 2);
    EXPECT_EQ(second[1].layer, 2);
    EXPECT_THAT(levelsOf(policy->endOfEpoch(signalsOf(2, {1, 1, 1, 1}, 0.1, 0.01))),
                ElementsAre(2, 0, 1));
    EXPECT_TRUE(policy->endOfEpoch(signalsOf(3, {1, 1, 1, 1})).empty());
}

TEST(Schedule, APatternThatNoCompressibleLayerMatchesIsRefused) {
    try {
        makePolicy(schedule({0}, "*.bias *", {1, 0}), kLayers);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Usage);
        EXPECT_STREQ(error.what(),
                     "policy.layers: no compressible layer matches '*.bias'; there are "
                     "conv1.weight, conv2.weight, fc.weight");
    }
    // Nothing to decide is no mistake of the pattern.
    EXPECT_TRUE(makePolicy(schedule({0}, "*", {1}), {{"bias", false}})->start().empty());
}

TEST(Schedule, RepeatsTheTimelineOfTheAuthorsCode) {
    const RunSpec spec = schedule({0, 21, 152, 171, 252, 271}, "*", {0, 2, 0, 2, 0, 2});
    const std::vector<int> levels = timelineOf(spec, 300, authorsRate);
    EXPECT_EQ(std::count(levels.begin(), levels.end(), 0), 59);
}

std::vector<std::string> conflictsOf(const List& epochs,
                                     const std::string& layers,
                                     const List& levels) {
    std::vector<std::string> sentences;
    const RunSpec spec = schedule(epochs, layers, levels);
    for (const auto& [key, sentence] : findPolicy("schedule")->conflicts(spec.policy.options, 2)) {
        sentences.push_back(key + ": " + sentence);
    }
    return sentences;
}

TEST(Schedule, MistakesBetweenItsKeysAreNamed) {
    EXPECT_THAT(conflictsOf({0, 20}, "conv* *", {0, 1, 1, 1}), ElementsAre());
    EXPECT_THAT(conflictsOf({1}, "*", {0}),
                ElementsAre("epochs: found [1], allowed: a list that begins with 0"));
    EXPECT_THAT(conflictsOf({0, 20, 20}, "*", {0, 1, 0}),
                ElementsAre("epochs: found 20 after 20, allowed: strictly increasing epochs"));
    EXPECT_THAT(conflictsOf({0}, "conv*", {0}),
                ElementsAre("layers: found \"conv*\", allowed: patterns of which the last is *, so "
                            "that every layer has a level"));
    EXPECT_THAT(conflictsOf({0, 20, 150}, "conv* *", {0, 1}),
                ElementsAre("levels: found 2, allowed: 6, for each of 2 layer patterns one in each "
                            "of 3 epochs"));
    EXPECT_THAT(conflictsOf({0}, "*", {2}),
                ElementsAre("levels: found 2, allowed: each 0 to 1, compress.levels has 2"));
    EXPECT_EQ(conflictsOf({}, " ", {5}).size(), 4U);
}

}  // namespace
}  // namespace concertina
