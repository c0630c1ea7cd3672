// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <fstream>

#include "core/spec/run_spec.h"
#include "core/spec/spec_error.h"
#include "tests/support/temp_folder.h"

namespace concertina {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const std::string kBase =
    "name = \"base\"\nseed = 9\ndata.name = \"fashion-mnist\"\nmodel.name = \"lenet5\"\n"
    "compress.name = \"topk\"\npolicy.name = \"accordion\"\npolicy.eta = 0.3\n";

class Study : public ::testing::Test {
 protected:
    StudySpec read(const std::string& study,
                   const std::string& base = kBase,
                   const Overrides& overrides = {}) {
        std::ofstream(folder_.path() / "base.toml") << base;
        std::ofstream(folder_.path() / "study.toml") << study;
        return readStudySpec(folder_.path() / "study.toml", overrides);
    }

    std::string failureOf(const std::string& study, const std::string& base = kBase) {
        try {
            read(study, base);
        } catch (const SpecError& error) {
            return error.what();
        }
        return "";
    }

    TempFolder folder_;
};

TEST_F(Study, VariantsTimesSeedsInFileOrder) {
    const StudySpec study = read(R"(name = "first"
base = "base.toml"
seeds = [3, 1]
[[variant]]
name = "uncompressed"
set = { "compress.name" = "none", "policy.name" = "static" }
[[variant]]
name = "accordion"
[[variant]]
name = "strong"
set = { policy = { name = "static", level = 1 } }
)");
    EXPECT_EQ(study.name, "first");
    ASSERT_EQ(study.trials.size(), 6U);
    EXPECT_EQ(study.trials[0].variant, "uncompressed");
    EXPECT_EQ(study.trials[0].spec.name, "first-uncompressed");
    EXPECT_EQ(study.trials[0].spec.seed, 3U);
    EXPECT_EQ(study.trials[1].spec.seed, 1U);
    EXPECT_EQ(study.trials[1].spec.compress.name, "none");
    EXPECT_EQ(study.trials[1].spec.levels.size(), 1U);
    EXPECT_EQ(realOf(study.trials[2].spec.policy.options, "eta"), 0.3);
    EXPECT_EQ(study.trials[4].variant, "strong");
    EXPECT_EQ(study.trials[4].spec.policy.options, (Settings{{"level", std::int64_t{1}}}));
}

TEST_F(Study, GridIsTheProductOfItsLists) {
    const StudySpec study = read(kBase + R"([grid]
"train.lr" = [0.1, 0.05]
compress.levels = [[{ ratio = 0.5 }, { ratio = 0.1 }], [{ ratio = 0.2 }, { ratio = 0.1 }]]
)");
    ASSERT_EQ(study.trials.size(), 4U);
    EXPECT_EQ(study.trials[0].variant, "compress.levels=#1 train.lr=0.1");
    EXPECT_EQ(study.trials[3].spec.name, "base-compress.levels=#2 train.lr=0.05");
    EXPECT_EQ(realOf(study.trials[3].spec.train, "lr"), 0.05);
    EXPECT_EQ(realOf(study.trials[3].spec.levels[0], "ratio"), 0.2);
    EXPECT_EQ(study.trials[3].spec.seed, 9U);
}

TEST_F(Study, OverridesReachEveryTrial) {
    const StudySpec study =
        read("base = \"base.toml\"\nseeds = [1, 2]", kBase, {{"train.epochs", "2"}});
    EXPECT_EQ(study.name, "study");
    ASSERT_EQ(study.trials.size(), 2U);
    EXPECT_EQ(study.trials[0].spec.name, "study");
    EXPECT_EQ(integerOf(study.trials[1].spec.train, "epochs"), 2);
}

TEST_F(Study, MistakesNameFileLineAndVariant) {
    EXPECT_THAT(
        failureOf("base = \"base.toml\"\n[[variant]]\nname = \"a\"\nset = { \"train.lr\" = 0 }\n"
                  "[[variant]]\nname = \"b\"\nset = { \"train.epoch\" = 3 }\n"),
        AllOf(HasSubstr("study.toml:4: train.lr: found 0.0, allowed: a number above 0 and at most "
                        "1000 (variant a)"),
              HasSubstr("study.toml:7: train.epoch: unknown key"), HasSubstr("(variant b)")));
    EXPECT_THAT(failureOf("base = \"base.toml\"", "train.lr = 0\n" + kBase),
                HasSubstr("base.toml:1: train.lr: found 0.0"));
    EXPECT_THAT(failureOf("base = \"absent.toml\""), HasSubstr("absent.toml: no such file"));
    EXPECT_THAT(failureOf("base = \"base.toml\"\ntrain.lr = 1\n"),
                HasSubstr("study.toml:2: train: a study with a base"));
}

TEST_F(Study, WrongSeedsVariantsAndGridsAreRefused) {
    const std::string start = "base = \"base.toml\"\n";
    for (const char* seeds : {"3", "[]", "[1, 1]", "[-1]", "[1.5]"}) {
        EXPECT_THAT(failureOf(start + "seeds = " + seeds), HasSubstr("study.toml:2: seeds: found"))
            << seeds;
    }
    EXPECT_THAT(failureOf(start + "variant = 3"), HasSubstr("expected [[variant]] tables"));
    EXPECT_THAT(failureOf(start + "[[variant]]\nset = {}"), HasSubstr("variant.name: missing"));
    EXPECT_THAT(failureOf(start + "[[variant]]\nname = \"a\"\n[[variant]]\nname = \"a\""),
                HasSubstr("found \"a\" twice"));
    EXPECT_THAT(failureOf(start + "[[variant]]\nname = \"a\"\nsets = {}"),
                HasSubstr("variant.sets: unknown key"));
    EXPECT_THAT(failureOf(start + "[[variant]]\nname = \"a\"\nset = 1"),
                HasSubstr("variant.set: found 1, expected"));
    EXPECT_THAT(failureOf(start + "grid.train.lr = 1"),
                HasSubstr("grid.train.lr: found 1, expected a list"));
    EXPECT_THAT(failureOf(start + "grid = 1"), HasSubstr("grid: found 1, expected a table"));
    std::string values = "[1";
    for (int i = 0; i < 200; ++i) {
        values += ", 1";
    }
    EXPECT_THAT(failureOf(start + "[grid]\n\"train.lr\" = " + values +
                          "]\n\"train.epochs\" = " + values + "]"),
                HasSubstr("makes more than the allowed 10000 trials"));
}

}  // namespace
}  // namespace concertina
