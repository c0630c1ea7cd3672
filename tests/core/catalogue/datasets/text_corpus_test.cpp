// SPDX-License-Identifier: Apache-2.0
// A tiny text by hand, and what is no text.
#include "core/catalogue/datasets/text_corpus.h"

#include <gmock/gmock.h>

#include "core/base/error.h"
#include "tests/support/data_choice.h"
#include "tests/support/data_files.h"
#include "tests/support/temp_folder.h"

namespace concertina {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Vocabulary, NumbersWordsInOrderOfAppearanceAndEndsEveryLine) {
    const Vocabulary vocabulary(" the cat \n\nthe  dog\n");
    EXPECT_THAT(vocabulary.words(), ElementsAre("the", "cat", "<eos>", "dog", "<unk>"));
    EXPECT_THAT(vocabulary.numbersOf(" the cat \n\nthe  dog\n"), ElementsAre(0, 1, 2, 2, 0, 3, 2));
    EXPECT_THAT(vocabulary.numbersOf("a dog"), ElementsAre(4, 3, 2)) << "no newline at the end";
    EXPECT_THAT(vocabulary.numbersOf(""), IsEmpty());
    EXPECT_THAT(vocabulary.numbersOf("\r\n"), ElementsAre(2));
}

TEST(Vocabulary, UnkIsAWordLikeOthersWhereTheTextHasIt) {
    const Vocabulary vocabulary("a <unk> b");
    EXPECT_THAT(vocabulary.words(), ElementsAre("a", "<unk>", "b", "<eos>"));
    EXPECT_THAT(vocabulary.numbersOf("c"), ElementsAre(1, 3));
}

TEST(Vocabulary, ALimitKeepsTheMostFrequentAndAlwaysUnk) {
    // x 3, y 2, z 2, <eos> 1.
    const Vocabulary three("z y x x y x z", 3);
    EXPECT_THAT(three.words(), ElementsAre("z", "x", "<unk>"));
    EXPECT_THAT(three.numbersOf("z y x"), ElementsAre(0, 2, 1, 2));
    EXPECT_THAT(Vocabulary("z y x", 1).words(), ElementsAre("<unk>"));
    EXPECT_EQ(Vocabulary("z y x", 100).size(), 5);
}

class Text : public ::testing::Test {
 protected:
    void SetUp() override {
        writeFile(train(), "a b c d\na b c d\n");  // 10 words
        writeFile(test(), "a b x\n");              // 4
    }
    std::filesystem::path train() const { return folder_.path() / "wiki.train.tokens"; }
    std::filesystem::path test() const { return folder_.path() / "wiki.test.tokens"; }
    Settings settings(Settings changes = {}) const {
        changes["path"] = folder_.path().string();
        changes.try_emplace("window", std::int64_t{3});
        return dataChoice("text", changes).options;
    }
    std::vector<std::string> problems(const Settings& changes = {}) const {
        return findDataset("text")->problems(settings(changes));
    }

    TempFolder folder_;
};

TEST_F(Text, TheFilesDecideTheForm) {
    EXPECT_THAT(problems(), IsEmpty());
    const DataForm form = findDataset("text")->formOf(settings());
    EXPECT_EQ(form.task, Task::Tokens);
    EXPECT_EQ(form.inputShape, Shape{3});
    EXPECT_EQ(form.outputs, 6);       // a b c d <eos> <unk>
    EXPECT_EQ(form.trainSamples, 3);  // 9 of 10 words have one after them
    EXPECT_EQ(form.testSamples, 1);
    const TextCorpus corpus = readTextCorpus(settings());
    EXPECT_THAT(corpus.train, ElementsAre(0, 1, 2, 3, 4, 0, 1, 2, 3, 4));
    EXPECT_THAT(corpus.test, ElementsAre(0, 1, 5, 4));
}

TEST_F(Text, LimitsCutWordsAndVocabulary) {
    const TextCorpus corpus = readTextCorpus(
        settings({{"train_words", std::int64_t{7}}, {"vocabulary", std::int64_t{3}}}));
    EXPECT_EQ(corpus.vocabulary, 3);  // a, b: the earliest of equally frequent ones; <unk>
    EXPECT_THAT(corpus.train, ElementsAre(0, 1, 2, 2, 2, 0, 1));
}

TEST_F(Text, WhatIsNoTextIsNamed) {
    writeFile(train(), "\xff\xfe broken");
    EXPECT_THAT(problems(), ElementsAre(HasSubstr(train().string() + ": is not UTF-8 text")));
    writeFile(train(), std::string("a\0b", 3));
    EXPECT_THAT(problems(), ElementsAre(HasSubstr("is not UTF-8 text")));
    writeFile(train(), "");
    EXPECT_THAT(problems(), ElementsAre(HasSubstr(train().string() + ": is empty")));
    writeFile(train(), "PK\x03\x04");
    EXPECT_THAT(problems(), ElementsAre(HasSubstr("is a zip archive: unpack it")));
    writeFile(train(), "<!DOCTYPE html>");
    EXPECT_THAT(problems(), ElementsAre(HasSubstr("is a web page")));
    writeFile(train(), gzipOf("a b c d e"));
    EXPECT_THAT(problems(), ElementsAre(HasSubstr("is gzip data: rename it")));
    std::filesystem::remove(train());
    EXPECT_THAT(problems(), ElementsAre(HasSubstr(train().string() + ": no such file")));
}

TEST_F(Text, APackedFileIsReadAndItsDamageFound) {
    std::filesystem::remove(train());
    const std::string packed = gzipOf("a b c d e f\n");
    writeFile(train().string() + ".gz", packed);
    EXPECT_THAT(problems(), IsEmpty());
    writeFile(train().string() + ".gz", packed.substr(0, packed.size() - 3));
    EXPECT_THAT(problems(),
                ElementsAre(AllOf(HasSubstr("wiki.train.tokens.gz"), HasSubstr("cut short"))));
}

TEST_F(Text, TooShortForOneWindowIsRefused) {
    EXPECT_THAT(problems({{"window", std::int64_t{4}}}),
                ElementsAre(AllOf(HasSubstr(test().string() + ": holds 4 words"),
                                  HasSubstr("too short for one window of 4"))));
    EXPECT_THAT(problems({{"test_words", std::int64_t{2}}}),
                ElementsAre(HasSubstr("holds 2 words")));
}

}  // namespace
}  // namespace concertina
