// SPDX-License-Identifier: Apache-2.0
#include "core/spec/run_spec.h"

#include <gmock/gmock.h>

#include <fstream>

#include "core/base/text.h"
#include "core/catalogue/catalogue.h"
#include "core/spec/spec_error.h"
#include "tests/support/temp_folder.h"

namespace concertina {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const std::string kGood = R"(name = "good"
seed = 7
[data]
name = "fashion-mnist"
[model]
name = "lenet5"
[train]
lr = 1
lr_decay_epochs = [15, 24]
[ranks]
count = 3
[compress]
name = "powersgd"
levels = [{ rank = 4 }, { rank = 1 }]
[policy]
name = "accordion"
eta = 0.3
)";

/// kGood with the line that starts with `start` replaced.
std::string with(const std::string& start, const std::string& line) {
    std::string text = kGood;
    const std::size_t begin = text.find("\n" + start) + 1;
    return text.replace(begin, text.find('\n', begin) - begin, line);
}

std::vector<SpecMistake> mistakesOf(const std::string& toml, const Overrides& overrides = {}) {
    try {
        parseRunSpec(toml, "x.toml", overrides);
    } catch (const SpecError& error) {
        return error.mistakes();
    }
    return {};
}

/// The only mistake as "line key: sentence".
std::string mistakeOf(const std::string& toml, const Overrides& overrides = {}) {
    const auto mistakes = mistakesOf(toml, overrides);
    EXPECT_EQ(mistakes.size(), 1U) << toml;
    return mistakes.empty() ? ""
                            : std::to_string(mistakes[0].line) + " " + mistakes[0].key + ": " +
                                  mistakes[0].sentence;
}

TEST(RunSpec, AGoodSpecIsReadWithDefaultsFilledIn) {
    const RunSpec spec = parseRunSpec(kGood, "x.toml");
    EXPECT_EQ(spec.name, "good");
    EXPECT_EQ(spec.seed, 7U);
    EXPECT_EQ(spec.data.name, "fashion-mnist");
    EXPECT_EQ(textOf(spec.data.options, "path"), "/usr/share/datasets/fashion-mnist");
    EXPECT_EQ(std::get<double>(spec.train.at("lr")), 1.0);  // an integer where a real is asked for
    EXPECT_EQ(integersOf(spec.train, "lr_decay_epochs"), (std::vector<std::int64_t>{15, 24}));
    EXPECT_EQ(integerOf(spec.train, "epochs"), 30);
    EXPECT_EQ(textOf(spec.ranks, "device"), "auto");
    EXPECT_TRUE(booleanOf(spec.compress.options, "error_feedback"));
    ASSERT_EQ(spec.levels.size(), 2U);
    EXPECT_EQ(integerOf(spec.levels[0], "rank"), 4);
    EXPECT_EQ(realOf(spec.policy.options, "eta"), 0.3);
    EXPECT_EQ(integerOf(spec.policy.options, "interval_epochs"), 10);
    EXPECT_FALSE(spec.link.has_value());
}

TEST(RunSpec, AllMistakesAreReportedAtOnceWithLineAndWhatIsAllowed) {
    const std::string bad =
        "name = \"bad\"\n"
        "[data]\nname = \"fashion-mnist\"\n"
        "[model]\nname = \"lenet\"\n"
        "[train]\nlr = -1\nmomentum = \"much\"\n"
        "[ranks]\ncont = 3\n"
        "[compress]\nname = \"topk\"\n"
        "[policy]\nname = \"static\"\n";
    try {
        parseRunSpec(bad, "bad.toml");
        FAIL() << "no mistake found";
    } catch (const SpecError& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Usage);
        EXPECT_EQ(error.mistakes().size(), 4U);
        EXPECT_STREQ(
            error.what(),
            "bad.toml:5: model.name: found \"lenet\", allowed: one of mlp, lenet5, "
            "logistic, resnet20, resnet18, vgg11_bn, vgg19_bn, senet18, googlenet, densenet_cifar, "
            "lstm_lm, transformer_lm; did you mean lenet5?\n"
            "bad.toml:7: train.lr: found -1.0, allowed: a number above 0 and at most 1000\n"
            "bad.toml:8: train.momentum: found \"much\", allowed: a number from 0 to 1\n"
            "bad.toml:10: ranks.cont: unknown key, allowed: count, device, backend, "
            "threads_per_rank, loader_threads; did you mean count?");
    }
}

TEST(RunSpec, TheFourNamesAreRequired) {
    const auto mistakes = mistakesOf("name = \"empty\"");
    ASSERT_EQ(mistakes.size(), 4U);
    EXPECT_EQ(mistakes[0].key, "data.name");
    EXPECT_THAT(mistakes[0].sentence,
                testing::StartsWith("missing, allowed: one of fashion-mnist, "));
    std::vector<std::string> names;
    for (const CompressorDescriptor& compressor : compressors()) {
        names.push_back(compressor.name);
    }
    EXPECT_EQ(mistakes[3].sentence, "missing, allowed: one of " + join(names));
}

TEST(RunSpec, WrongTypesAreNamed) {
    EXPECT_EQ(mistakeOf(with("count", "count = 2.5")),
              "11 ranks.count: found 2.5, allowed: an integer from 1 to 256");
    EXPECT_EQ(mistakeOf(with("count", "count = 0")),
              "11 ranks.count: found 0, allowed: an integer from 1 to 256");
    EXPECT_EQ(mistakeOf(with("lr =", "lr = nan")),
              "8 train.lr: found nan, allowed: a number above 0 and at most 1000");
    EXPECT_EQ(mistakeOf(with("lr =", "lr = inf")),
              "8 train.lr: found inf, allowed: a number above 0 and at most 1000");
    EXPECT_THAT(mistakeOf(with("lr =", "lr = [1]")),
                HasSubstr("8 train.lr: found [1], allowed: a number"));
    EXPECT_THAT(mistakeOf(with("lr =", "lr = { a = 1 }")), HasSubstr("found a table"));
    EXPECT_THAT(mistakeOf(with("lr =", "lr = 2026-01-01")), HasSubstr("found a date or time"));
    EXPECT_THAT(mistakeOf(with("lr_decay_epochs", "lr_decay_epochs = [1, \"a\"]")),
                HasSubstr("found a list, allowed"));
    EXPECT_THAT(mistakeOf(with("lr_decay_epochs", "lr_decay_epochs = [0]")),
                HasSubstr("found [0], allowed: a list"));
    EXPECT_THAT(mistakeOf(with("seed", "seed = -1")),
                HasSubstr("2 seed: found -1, allowed: an integer at least 0"));
    EXPECT_THAT(mistakeOf(with("name = \"good\"", "name = \"\"")), HasSubstr("1 name: found \"\""));
    EXPECT_THAT(mistakeOf("data = 3\n" + kGood.substr(0, kGood.find("[data]")) +
                          kGood.substr(kGood.find("[model]"))),
                HasSubstr("data: found 3, expected a table [data]"));
}

TEST(RunSpec, RulesBetweenKeysAreChecked) {
    EXPECT_THAT(mistakeOf(with("lr_decay_epochs", "lr_decay_epochs = [24, 24]")),
                HasSubstr("found 24 after 24"));
    EXPECT_THAT(mistakeOf(with("lr =", "nesterov = true\nmomentum = 0")),
                HasSubstr("8 train.nesterov: found true"));
    EXPECT_THAT(
        mistakeOf(with("lr =", "batch_per_rank = 20001")),
        HasSubstr("takes 60003 samples a step, allowed: at most the 60000 training samples"));
    EXPECT_THAT(mistakeOf(with("count", "device = \"cpu\"\nbackend = \"nccl\"")),
                HasSubstr("12 ranks.backend: found nccl"));
    EXPECT_THAT(
        mistakeOf(with("levels", "levels = [{ rank = 4 }]")),
        HasSubstr(
            "policy.name: accordion chooses between at least 2 levels, compress.levels has 1"));
    EXPECT_THAT(
        mistakeOf(kGood, {{"policy.name", "static"}, {"policy.level", "2"}}),
        HasSubstr(
            "policy.level: found 2, allowed: 0 to 1, compress.levels has 2 (given by --set)"));
    // Every mistake of a policy's own check, each at its key.
    const auto mistakes = mistakesOf(
        kGood, {{"policy.name", "schedule"}, {"policy.layers", "conv*"}, {"policy.levels", "[2]"}});
    ASSERT_EQ(mistakes.size(), 2U);
    EXPECT_EQ(mistakes[0].key, "policy.layers");
    EXPECT_EQ(mistakes[1].key, "policy.levels");
    EXPECT_THAT(mistakes[1].sentence, HasSubstr("found 2, allowed: each 0 to 1"));
}

TEST(RunSpec, LevelsGoFromMildToStrong) {
    EXPECT_THAT(mistakeOf(with("levels", "levels = [{ rank = 1 }, { rank = 4 }]")),
                AllOf(HasSubstr("14 compress.levels[1]"), HasSubstr("rank 4 sends 16384 bytes"),
                      HasSubstr("4096")));
    EXPECT_THAT(mistakeOf(with("levels", "levels = [{ rank = 600 }, { rank = 512 }]")),
                HasSubstr("compress.levels[1]"));
    EXPECT_THAT(mistakeOf(with("levels", "levels = []")),
                HasSubstr("14 compress.levels: found an empty list of 0, allowed: a list of 1 to "
                          "64 levels, mild first, "
                          "such as [{rank = 4}, {rank = 1}]"));
    EXPECT_THAT(mistakeOf(with("levels", "levels = [4, { rank = 1 }]")),
                HasSubstr("found 4, expected a table"));
    EXPECT_THAT(mistakeOf(with("levels", "levels = [{ rank = 4 }, { rnk = 1 }]")),
                HasSubstr("did you mean rank?"));
}

// An option that does not go with any level is one mistake at its own key, a level's at the
// level's.
TEST(RunSpec, ConflictsOfACompressorStandAtTheirKeys) {
    const std::string qsgd = with("name = \"powersgd\"", R"(name = "qsgd"
bucket = 100)");
    EXPECT_EQ(mistakeOf(qsgd, {{"compress.levels", "[{ bits = 8 }, { bits = 4 }]"}}),
              "14 compress.bucket: found 100, allowed: a multiple of 32");
    const std::string levels = R"(levels = [
    { bits = 8 },
    { bits = 4, s = 9 }])";
    std::string both = qsgd;
    both.replace(both.find("levels ="), both.find("[policy]") - both.find("levels ="),
                 levels + "\n");
    const auto mistakes = mistakesOf(both);
    ASSERT_EQ(mistakes.size(), 2U);
    EXPECT_EQ(mistakes[0].key, "compress.bucket");
    EXPECT_EQ(mistakes[1].key, "compress.levels[1].s");
    EXPECT_EQ(mistakes[1].line, 17);
    EXPECT_EQ(mistakes[1].sentence,
              "found 9 with coding packed and bits 4, allowed there: at most 7");
    // Of a default level there is only the table to name.
    const auto ofDefaults =
        mistakesOf(kGood, {{"compress.name", "threshold"}, {"compress.relative_to", "max"}});
    ASSERT_EQ(ofDefaults.size(), 2U);
    EXPECT_EQ(ofDefaults[1].key, "compress.levels[1].threshold");
    EXPECT_EQ(ofDefaults[1].line, 12);
}

TEST(RunSpec, OnebitHasOneLevelWithoutKeys) {
    const Overrides onebit{{"compress.name", "onebit"}, {"policy.name", "static"}};
    EXPECT_EQ(parseRunSpec(kGood, "x", onebit).levels, std::vector<Settings>{Settings{}});
    for (const char* levels : {"[]", "[{}]"}) {
        Overrides given = onebit;
        given.emplace_back("compress.levels", levels);
        EXPECT_EQ(parseRunSpec(kGood, "x", given).levels.size(), 1U) << levels;
    }
    Overrides two = onebit;
    two.emplace_back("compress.levels", "[{}, {}]");
    EXPECT_THAT(mistakeOf(kGood, two), HasSubstr("this one sends 36864 bytes"));
}

TEST(RunSpec, OverridesAreTomlOrABareWord) {
    const RunSpec spec = parseRunSpec(kGood, "x",
                                      {{"policy.eta", "0.7"},
                                       {"compress.levels", "[{rank=2},{rank=1}]"},
                                       {"ranks.device", "cpu"},
                                       {"name", "two words"},
                                       {"link.bandwidth_mbps", "50"}});
    EXPECT_EQ(realOf(spec.policy.options, "eta"), 0.7);
    EXPECT_EQ(integerOf(spec.levels[0], "rank"), 2);
    EXPECT_EQ(textOf(spec.ranks, "device"), "cpu");
    EXPECT_EQ(spec.name, "two words");
    EXPECT_EQ(realOf(*spec.link, "bandwidth_mbps"), 50.0);
    EXPECT_EQ(realOf(*spec.link, "latency_us"), 200.0);
}

TEST(RunSpec, AnotherNameDropsTheFormerKeysWhateverTheOrder) {
    const RunSpec spec = parseRunSpec(kGood, "x",
                                      {{"compress.levels", "[{ratio=0.5},{ratio=0.1}]"},
                                       {"compress.name", "topk"},
                                       {"policy.name", "static"}});
    EXPECT_EQ(realOf(spec.levels[0], "ratio"), 0.5);
    EXPECT_EQ(spec.policy.options, (Settings{{"level", std::int64_t{0}}}));
    EXPECT_EQ(realOf(parseRunSpec(kGood, "x", {{"compress.name", "topk"}}).levels[1], "ratio"),
              0.001);
    // The same name again drops nothing.
    EXPECT_EQ(
        realOf(parseRunSpec(kGood, "x", {{"policy.name", "accordion"}}).policy.options, "eta"),
        0.3);
}

TEST(RunSpec, WrongOverridesAreMistakesWithoutALine) {
    EXPECT_THAT(mistakeOf(kGood, {{"train.lrr", "1"}}), HasSubstr("0 train.lrr: unknown key"));
    EXPECT_THAT(mistakeOf(kGood, {{"train..lr", "1"}}), HasSubstr("train..lr: is not a key"));
    EXPECT_THAT(mistakeOf(kGood, {{"", "1"}}), HasSubstr("is not a key"));
    EXPECT_THAT(mistakeOf(kGood, {{"name.x", "1"}}),
                HasSubstr("name is no table but text \"good\""));
    EXPECT_THAT(mistakeOf(kGood, {{"train.lr", "1\nmomentum = 2"}}),
                HasSubstr("0 train.lr: found \"1?momentum"));
    EXPECT_THAT(mistakeOf(kGood, {{"name", "\xff\xfe"}}), HasSubstr("0 name: found \"??\""));
}

TEST(RunSpec, FilesThatCannotBeReadAreNamed) {
    const TempFolder folder;
    const auto file = folder.path() / "spec.toml";
    EXPECT_THROW(
        try { readRunSpec(file); } catch (const SpecError& error) {
            EXPECT_EQ(error.what(), file.string() + ": no such file");
            throw;
        },
        SpecError);
    EXPECT_THROW(readRunSpec(folder.path()), SpecError);
    std::ofstream(file) << kGood;
    EXPECT_EQ(readRunSpec(file), parseRunSpec(kGood, "x"));
    std::ofstream(file) << kGood << std::string(1024 * 1024, '#');
    EXPECT_THROW(
        try { readRunSpec(file); } catch (const SpecError& error) {
            EXPECT_THAT(error.what(), HasSubstr("too large for a spec"));
            throw;
        },
        SpecError);
}

TEST(RunSpec, TheDefaultSpecIsValidAndWrittenAsToml) {
    const RunSpec spec = defaultRunSpec();
    EXPECT_EQ(spec.policy.name, "accordion");
    EXPECT_EQ(parseRunSpec(toToml(spec), "x"), spec);
    EXPECT_THAT(toToml(spec), ::testing::Not(HasSubstr("epochs")));
    EXPECT_THAT(toToml(spec, true), HasSubstr("epochs = 30\n"));
}

TEST(RunSpec, TomlAndJsonReadBackEqual) {
    const std::vector<Overrides> cases{
        {},
        {{"compress.name", "none"}, {"policy.name", "static"}},
        {{"compress.name", "topk"}, {"link.latency_us", "0.1"}, {"train.lr", "1e-300"}},
        {{"model.name", "mlp"}, {"model.hidden", "[]"}},
        {{"name", "'quotes \" \\ and \xc3\xa9'"}, {"seed", "9223372036854775807"}}};
    for (const Overrides& overrides : cases) {
        const RunSpec spec = parseRunSpec(kGood, "x", overrides);
        EXPECT_EQ(parseRunSpec(toToml(spec), "x"), spec) << toToml(spec);
        EXPECT_EQ(parseRunSpec(toToml(spec, true), "x"), spec) << toToml(spec, true);
        EXPECT_EQ(runSpecFromJson(toJson(spec)), spec) << toJson(spec);
        EXPECT_EQ(toJson(runSpecFromJson(toJson(spec))), toJson(spec));
    }
}

}  // namespace
}  // namespace concertina
