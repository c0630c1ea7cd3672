// SPDX-License-Identifier: Apache-2.0
// Specs made to hurt: whatever the bytes, the answer is a spec or a SpecError, never a crash, and
// never soon out of memory.
#include <gmock/gmock.h>

#include <random>

#include "core/spec/run_spec.h"
#include "core/spec/spec_error.h"

namespace concertina {
namespace {

using ::testing::HasSubstr;

const std::string kGood = toToml(defaultRunSpec(), true) + "[link]\nbandwidth_mbps = 100\n";

std::string repeated(const std::string& text, int times) {
    std::string result;
    for (int i = 0; i < times; ++i) {
        result += text;
    }
    return result;
}

/// The mistakes' text; "" for a valid spec.
std::string answerTo(const std::string& toml, const Overrides& overrides = {}) {
    try {
        const RunSpec spec = parseRunSpec(toml, "hostile.toml", overrides);
        EXPECT_EQ(runSpecFromJson(toJson(spec)), spec);
        return "";
    } catch (const SpecError& error) {
        EXPECT_FALSE(error.mistakes().empty());
        return error.what();
    }
}

TEST(HostileSpec, DeepNestingIsAMistake) {
    EXPECT_THAT(answerTo("a = " + repeated("[", 100000)), HasSubstr("hostile.toml:1: "));
    EXPECT_THAT(answerTo("a = " + repeated("{a=", 100000)), HasSubstr("hostile.toml:1: "));
    EXPECT_THAT(answerTo("a" + repeated(".a", 300000) + " = 1"),
                HasSubstr("a key of more than 8 parts"));
    EXPECT_THAT(answerTo("x = 1\n[a" + repeated(" . \"a\"", 100000) + "]"),
                HasSubstr("hostile.toml:2: a key of more"));
    EXPECT_THAT(answerTo("a = " + repeated("[", 100) + repeated("]", 100)),
                HasSubstr("a: unknown key"));
    EXPECT_THAT(answerTo(kGood, {{"train" + repeated(".a", 100000), "1"}}),
                HasSubstr("is not a key"));
    EXPECT_THAT(answerTo(kGood, {{"train.lr", repeated("[", 100000)}}),
                HasSubstr("train.lr: found \"[[["));
}

TEST(HostileSpec, SyntaxTroublesHaveALine) {
    EXPECT_THAT(answerTo("x = 1\ny = 99999999999999999999"), HasSubstr("hostile.toml:2: "));
    EXPECT_THAT(answerTo("name = \"a\"\nname = \"b\""), HasSubstr("hostile.toml:2: "));
    EXPECT_THAT(answerTo("[train]\nlr = 1\n[train]\n"), HasSubstr("hostile.toml:3: "));
    EXPECT_THAT(answerTo("name = \"cut"), HasSubstr("hostile.toml:1: "));
    EXPECT_THAT(answerTo("name = \"\xff\""), HasSubstr("not UTF-8"));
    EXPECT_THAT(answerTo(std::string("name = \"\0\"", 10)), HasSubstr("hostile.toml"));
    EXPECT_THAT(answerTo(std::string(1024 * 1024 + 1, '\n')), HasSubstr("too large for a spec"));
}

TEST(HostileSpec, SentencesStayShortAndPrintable) {
    const std::string answer = answerTo(kGood + "[" + std::string(100000, 'k') + "]\nv = 1\n");
    EXPECT_LT(answer.size(), 1000U);
    const std::string escape = answerTo("\"\\u001b[31m\" = 1\n" + kGood);
    EXPECT_THAT(escape, HasSubstr("?[31m: unknown key"));
    EXPECT_LT(answerTo(kGood, {{"model.name", std::string(100000, 'm')}}).size(), 1000U);
}

TEST(HostileSpec, LongListsAndManyLevelsAreRefused) {
    EXPECT_THAT(answerTo(kGood, {{"train.lr_decay_epochs", "[" + repeated("1,", 100000) + "]"}}),
                HasSubstr("a list of at most 1000 integers"));
    EXPECT_THAT(answerTo(kGood, {{"compress.levels", "[" + repeated("{ratio=0.1},", 100) + "]"}}),
                HasSubstr("found a list of 100, allowed: a list of 1 to 64 levels"));
}

/// One random edit: a byte changed, dropped, inserted, or a piece copied elsewhere.
void mutate(std::string& text, std::mt19937& random) {
    const std::string alphabet = "\"'[]{}=.,#\n\\-_0123456789eEnaifr \xff\xc3\t";
    const auto below = [&random](std::size_t bound) {
        return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
    };
    const std::size_t place = below(text.size());
    switch (below(4)) {
        case 0:
            text[place] = alphabet[below(alphabet.size())];
            break;
        case 1:
            text.erase(place, 1 + below(8));
            break;
        case 2:
            text.insert(place, 1 + below(3), alphabet[below(alphabet.size())]);
            break;
        default:
            text.insert(place, text.substr(below(text.size()), 1 + below(40)));
    }
}

TEST(HostileSpec, MutationsOfAGoodSpecAreReadOrRefused) {
    std::mt19937 random(20261130);
    int valid = 0;
    constexpr int kRounds = 4000;
    for (int round = 0; round < kRounds; ++round) {
        std::string text = kGood;
        for (int edit = 0; edit <= round % 6; ++edit) {
            mutate(text, random);
        }
        valid += answerTo(text).empty() ? 1 : 0;
    }
    EXPECT_GT(valid, 0);  // some edits hit comments, blanks and digits
    EXPECT_LT(valid, kRounds / 2);
}

}  // namespace
}  // namespace concertina
