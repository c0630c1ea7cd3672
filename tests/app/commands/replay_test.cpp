// SPDX-License-Identifier: Apache-2.0
// `concertina replay` as a process, over a generated run.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/store/writer.h"
#include "tests/support/generated_run.h"
#include "tests/support/processes.h"
#include "tests/support/store_folder.h"

namespace concertina {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class ReplayCommandTest : public testing::Test {
 protected:
    ReplayCommandTest() {
        RunWriter writer(folder_.file());
        writeGeneratedRun(writer, {.id = "accordion1", .name = "accordion", .layers = 12});
        writeGeneratedRun(writer, {.id = "static1", .policy = "static", .layers = 12});
    }
    CommandResult replay(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), {CONCERTINA_BIN_DIR "/concertina", "replay"});
        return runCommand(arguments, {"CONCERTINA_STORE=" + folder_.file().string()});
    }

    StoreFolder folder_;
};

TEST_F(ReplayCommandTest, UnchangedItRepeatsTheRun) {
    const CommandResult same = replay({"accordion"});
    EXPECT_EQ(same.exitCode, 0) << same.err;
    EXPECT_THAT(same.out, HasSubstr("run accordion1 (accordion), 40 of 40 epochs replayed with "
                                    "accordion: eta 0.5, interval_epochs 4, lr_decay_rule true, "));
    EXPECT_THAT(same.out, HasSubstr("every layer would have trained at the level it did"));
    EXPECT_THAT(same.out, HasSubstr("block1.conv1.weight"));
    EXPECT_THAT(same.out, Not(HasSubstr("Levels that differ")));
}

TEST_F(ReplayCommandTest, AnotherEtaShowsWhatDiffersAndWarns) {
    const CommandResult more = replay({"accordion", "--eta", "0.05"});
    EXPECT_EQ(more.exitCode, 0) << more.err;
    EXPECT_THAT(more.out, HasSubstr("nothing was trained again"));
    EXPECT_THAT(more.out, HasSubstr("Levels that differ\nfrom epoch"));
    EXPECT_THAT(more.out, HasSubstr("strong"));
    EXPECT_THAT(more.out, HasSubstr(" ≥ 0.05 from epoch "));
    const json object = json::parse(replay({"accordion1", "--eta", "0.05", "--json"}).out);
    EXPECT_EQ(object["run"], "accordion1");
    EXPECT_EQ(object["policy"]["eta"], 0.05);
    EXPECT_EQ(object["policy"]["interval_epochs"], 4);
    EXPECT_EQ(object["epochs"], 40);
    EXPECT_EQ(object["bytes"], "wire");
    EXPECT_EQ(object["trained_again"], false);
    EXPECT_EQ(object["exact_before_epoch"], object["differences"][0]["from_epoch"]);
    EXPECT_GT(object["replayed_mild_share"], object["recorded_mild_share"]);
    EXPECT_GT(object["replayed_bytes"], object["recorded_bytes"]);
    EXPECT_EQ(object["layers"].size(), 12U);
    EXPECT_EQ(object["layers"][2]["recorded_mild_share"], nullptr);
    EXPECT_EQ(object["differences"][0]["recorded_reason"], "stable");
    EXPECT_EQ(object["decisions"][0]["reason"], "initial");
}

TEST_F(ReplayCommandTest, ARunOfAnotherPolicyIsReplayedWithAccordion) {
    const json object =
        json::parse(replay({"static1", "--interval", "2", "--min-mild", "3", "--json"}).out);
    EXPECT_EQ(object["policy"]["name"], "accordion");
    EXPECT_EQ(object["policy"]["eta"], 0.5);
    EXPECT_EQ(object["policy"]["interval_epochs"], 2);
    EXPECT_EQ(object["policy"]["min_mild_epochs"], 3);
    EXPECT_EQ(object["recorded_mild_share"], 1);
    EXPECT_LT(object["replayed_mild_share"], 1);
}

TEST_F(ReplayCommandTest, MistakesAreNamed) {
    const CommandResult wrong = replay({"accordion", "--eta", "0"});
    EXPECT_EQ(wrong.exitCode, 2);
    EXPECT_THAT(wrong.err, HasSubstr("policy.eta: found 0.0, allowed: a number above 0"));
    EXPECT_EQ(replay({"accordion", "--interval", "x"}).exitCode, 2);
    EXPECT_EQ(replay({"nobody", "--eta", "0.3"}).exitCode, 2);
    EXPECT_EQ(replay({}).exitCode, 2);
}

}  // namespace
}  // namespace concertina
