// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"

#include <gtest/gtest.h>

namespace concertina {
namespace {

const std::vector<std::string> kKeys{"epochs", "lr", "momentum", "lr_decay_epochs"};

TEST(Text, EditDistanceCountsInsertionsDeletionsReplacements) {
    EXPECT_EQ(editDistance("", ""), 0U);
    EXPECT_EQ(editDistance("abc", ""), 3U);
    EXPECT_EQ(editDistance("kitten", "sitting"), 3U);
    EXPECT_EQ(editDistance("sitting", "kitten"), 3U);
    EXPECT_EQ(editDistance("topk", "topkk"), 1U);
}

TEST(Text, NearestNameIsOneAUserMayHaveMeant) {
    EXPECT_EQ(nearestName("epoch", kKeys), "epochs");
    EXPECT_EQ(nearestName("momentun", kKeys), "momentum");
    EXPECT_EQ(nearestName("lr", kKeys), "lr");
    EXPECT_EQ(nearestName("weight", kKeys), "");
    EXPECT_EQ(nearestName(std::string(100000, 'x'), kKeys), "");
    EXPECT_EQ(nearestName("lr", {}), "");
}

TEST(Text, ExcerptIsShortAndPrintable) {
    EXPECT_EQ(excerpt("plain"), "plain");
    EXPECT_EQ(excerpt("a\x1b[31mb\n\xff", 20), "a?[31mb??");
    EXPECT_EQ(excerpt("abcdef", 3), "abc...");
}

TEST(Text, JoinPutsTheSeparatorBetween) {
    EXPECT_EQ(join({}), "");
    EXPECT_EQ(join(kKeys, "|"), "epochs|lr|momentum|lr_decay_epochs");
}

TEST(Text, WordsAreWhatBlanksDivide) {
    EXPECT_EQ(words("conv*  fc.weight "), (std::vector<std::string>{"conv*", "fc.weight"}));
    EXPECT_TRUE(words(" \t ").empty());
}

TEST(Text, PatternsCoverTheWholeText) {
    for (const char* pattern : {"conv1.weight", "*", "conv*", "*weight", "c*1*t", "conv?.weight",
                                "**conv1.weight**", "*.*", "?onv1*"}) {
        EXPECT_TRUE(matchesPattern("conv1.weight", pattern)) << pattern;
    }
    for (const char* pattern : {"", "conv", "conv1", "weight", "conv??weightx", "*x*",
                                "conv?weight", "Conv*", "conv1.weight?"}) {
        EXPECT_FALSE(matchesPattern("conv1.weight", pattern)) << pattern;
    }
    EXPECT_TRUE(matchesPattern("", ""));
    EXPECT_TRUE(matchesPattern("", "*"));
    EXPECT_FALSE(matchesPattern("", "?"));
    EXPECT_TRUE(matchesPattern("aab", "*ab"));  // the star must give back a letter
    // What makes a naive matcher take exponential time.
    std::string hostile;
    for (int i = 0; i < 1000; ++i) {
        hostile += "a*";
    }
    EXPECT_FALSE(matchesPattern(std::string(4000, 'a'), hostile + "b"));
}

TEST(Text, Utf8RefusesOverlongSurrogateAndCutForms) {
    EXPECT_TRUE(isUtf8(""));
    EXPECT_TRUE(isUtf8("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x99\x82"));
    EXPECT_TRUE(isUtf8("\xf4\x8f\xbf\xbf"));            // U+10FFFF
    EXPECT_FALSE(isUtf8("\xf4\x90\x80\x80"));           // above it
    EXPECT_FALSE(isUtf8("\xc0\xaf"));                   // overlong "/"
    EXPECT_FALSE(isUtf8("\xe0\x80\xaf"));               // overlong, three bytes
    EXPECT_FALSE(isUtf8("\xed\xa0\x80"));               // a surrogate
    EXPECT_FALSE(isUtf8("\xe2\x82"));                   // cut short
    EXPECT_FALSE(isUtf8("\x80"));                       // continuation alone
    EXPECT_FALSE(isUtf8(std::string("\xe2(\xa1", 3)));  // no continuation
}

}  // namespace
}  // namespace concertina
