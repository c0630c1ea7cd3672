// SPDX-License-Identifier: Apache-2.0
// `concertina` as a process: every documented command, its text and its exit code. Ranks are fake
// ones.
#include <SQLiteCpp/Database.h>
#include <gmock/gmock.h>
#include <signal.h>

#include "tests/app/command_line.h"

namespace concertina {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST_F(CommandLineTest, HelpHasExamplesForEveryCommand) {
    const CommandResult help = run({"--help"});
    EXPECT_EQ(help.exitCode, 0);
    for (const char* command : {"run", "resume", "batch", "ctl", "runs", "show", "compare",
                                "replay", "describe", "doctor"}) {
        EXPECT_THAT(help.out, HasSubstr(std::string("\n  ") + command + " "));
        const CommandResult own = run({command, "--help"});
        EXPECT_EQ(own.exitCode, 0) << command;
        EXPECT_THAT(own.out, HasSubstr(std::string("concertina ") + command)) << command;
        EXPECT_THAT(own.out, HasSubstr("Examples:")) << command;
    }
    EXPECT_THAT(run({"--version"}).out, HasSubstr("0.1.0"));
}

TEST_F(CommandLineTest, MistakesOnTheLineAreOneSentenceWithASuggestion) {
    const CommandResult command = run({"shwo", "x"});
    EXPECT_EQ(command.exitCode, 2);
    EXPECT_THAT(command.err,
                StartsWith("concertina: there is no command 'shwo'; did you mean show?"));
    EXPECT_EQ(command.out, "");
    const CommandResult option = run({"runs", "--jsn"});
    EXPECT_EQ(option.exitCode, 2);
    EXPECT_THAT(option.err, HasSubstr("did you mean --json?"));
    EXPECT_EQ(run({}).exitCode, 2);
    EXPECT_EQ(run({"run"}).exitCode, 2);
    EXPECT_THAT(run({"run"}).err, HasSubstr("SPEC is required"));
    EXPECT_THAT(run({"run", spec("a", 1), "--set", "epochs"}).err, HasSubstr("expected KEY=VALUE"));
}

TEST_F(CommandLineTest, RunPrintsProgressOnStderrAndTheResultOnStdout) {
    const CommandResult result = run({"run", spec("plain", 2), "--id", "first"});
    EXPECT_EQ(result.exitCode, 0);
    EXPECT_THAT(result.err,
                HasSubstr("concertina: run first (plain): 2 ranks on cpu/gloo, 2 epochs\n"));
    EXPECT_THAT(
        result.err,
        HasSubstr(
            "concertina: epoch 2/2: loss 0.5, accuracy 0.7500, sent 400 B (10.0x less than fp32)"));
    EXPECT_THAT(result.err, Not(HasSubstr("\x1b")));
    EXPECT_EQ(result.out,
              "run first (plain): done\n"
              "  epochs 2/2, test accuracy 0.7500, test loss 0.5000\n"
              "  gradient bytes sent per rank: 800 B, 10.0x less than fp32, 5.0x less than fp16\n"
              "  mild for 50 % of layer-epochs\n"
              "  training time 2.0 s\n");
}

TEST_F(CommandLineTest, RunJsonIsOneObjectALineAndTheLastIsTheSummary) {
    const CommandResult result =
        run({"run", spec("j", 9), "--json", "--set", "train.epochs=2", "--set", "seed=7"});
    EXPECT_EQ(result.exitCode, 0);
    const std::vector<json> events = lines(result.out);
    ASSERT_GE(events.size(), 6u);
    EXPECT_EQ(events.front()["event"], "start");
    EXPECT_EQ(events.front()["seed"], 7);
    std::map<std::string, int> counts;
    for (const json& event : events) {
        counts[event["event"]] += 1;
        EXPECT_EQ(event["run"], events.front()["run"]);
    }
    EXPECT_EQ(counts, (std::map<std::string, int>{
                          {"start", 1}, {"epoch", 2}, {"decision", 2}, {"summary", 1}}));
    const json& summary = events.back();
    EXPECT_EQ(summary["event"], "summary");
    EXPECT_EQ(summary["status"], "done");
    EXPECT_EQ(summary["epochs"], 2);
    EXPECT_EQ(summary["test_accuracy"], 0.75);
    EXPECT_EQ(summary["wire_bytes"], 800);
    EXPECT_EQ(summary["dense_fp32_wire_bytes"], 8000);
    EXPECT_EQ(summary["ratio"], 10);
    EXPECT_EQ(summary["mild_share"], 0.5);
    EXPECT_EQ(summary["decisions"].size(), 2u);
    EXPECT_EQ(summary["decisions"][1]["layer"], "fc.weight");
    EXPECT_EQ(summary["weights_hash"], "cafe");
    EXPECT_EQ(summary["backend"], "gloo");
}

TEST_F(CommandLineTest, ASpecWithThreeMistakesReportsAllThree) {
    const std::string file =
        write("bad.toml", "[train]\nepochs = 0\nlr = -1\nepoch = 3\n" + kTables);
    const CommandResult result = run({"run", file});
    EXPECT_EQ(result.exitCode, 2);
    EXPECT_THAT(result.err, StartsWith("concertina: "));
    EXPECT_THAT(result.err, HasSubstr("bad.toml:2: train.epochs"));
    EXPECT_THAT(result.err, HasSubstr("bad.toml:3: train.lr"));
    EXPECT_THAT(result.err, HasSubstr("bad.toml:4: train.epoch"));
    EXPECT_FALSE(std::filesystem::exists(folder_.file()));
    EXPECT_THAT(run({"run", "/nonexistent.toml"}).err, HasSubstr("/nonexistent.toml"));
}

// As the workbench's "Copy command" writes it.
TEST_F(CommandLineTest, ASpecMayComeThroughAPipe) {
    const std::string text = contentOf(spec("piped", 1));
    const CommandResult result = shell(kProgram + " run /dev/stdin <<'END'\n" + text + "END\n");
    EXPECT_EQ(result.exitCode, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("(piped): done"));
    const CommandResult endless = run({"run", "/dev/zero"});
    EXPECT_EQ(endless.exitCode, 2);
    EXPECT_THAT(endless.err, HasSubstr("too large for a spec"));
    EXPECT_THAT(run({"run", folder_.path().string()}).err, HasSubstr("is a folder"));
}

TEST_F(CommandLineTest, ExitCodesTellWhatHappened) {
    const std::string file = spec("codes", 3);
    EXPECT_EQ(run({"run", file, "--set", "data.path=/nowhere"}).exitCode, 2);
    EXPECT_EQ(run({"run", file, "--store", folder_.path().string()}).exitCode, 3);
    EXPECT_EQ(run({"run", file}, {"FAKE_RANK=0:exit4@5,1:exit4@5"}).exitCode, 4);
    const CommandResult lost = run({"run", file, "--json"}, {"FAKE_RANK=1:kill@5"});
    EXPECT_EQ(lost.exitCode, 5);
    const json summary = lines(lost.out).back();
    EXPECT_EQ(summary["status"], "failed");
    EXPECT_THAT(summary["reason"].get<std::string>(),
                StartsWith("rank 1 died by signal 9 (SIGKILL)"));
}

TEST_F(CommandLineTest, AClosedStdoutDoesNotEndARun) {
    const std::string script =
        kProgram + " run " + spec("piped", 5) + " --id piped --json | head -1";
    EXPECT_EQ(shell(script).exitCode, 0);
    while (isActive(stored("piped").status)) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_EQ(stored("piped").status, RunStatus::Done);
}

TEST_F(CommandLineTest, CtlSteersARunningRun) {
    const int pid = startTraining({kProgram, "run", spec("steered", 100000), "--id", "steered"});
    const CommandResult checkpoint = run({"ctl", "steered", "checkpoint"});
    EXPECT_EQ(checkpoint.err, "concertina: asked run steered (steered) to checkpoint\n");
    const CommandResult stop = run({"ctl", "steered", "stop"});
    EXPECT_EQ(stop.exitCode, 0);
    EXPECT_EQ(stop.err, "concertina: asked run steered (steered) to stop\n");
    EXPECT_EQ(waitFor(pid), 0);
    EXPECT_EQ(stored("steered").status, RunStatus::Stopped);
    const CommandResult again = run({"ctl", "steered", "pause"});
    EXPECT_EQ(again.exitCode, 2);
    EXPECT_THAT(again.err,
                HasSubstr("run steered (steered) is stopped: only a running or paused run"));
    EXPECT_THAT(run({"ctl", "steered", "stpo"}).err, HasSubstr("did you mean stop?"));
    EXPECT_EQ(run({"ctl", "nobody", "stop"}).exitCode, 2);
}

TEST_F(CommandLineTest, RunsListsFiltersAndSaysWhenThereIsNothing) {
    EXPECT_THAT(run({"runs"}).err, HasSubstr("no run yet"));
    EXPECT_EQ(run({"runs", "--json"}).out, "[]\n");
    run({"run", spec("alpha", 1), "--id", "aaa"});
    run({"run", spec("beta", 1), "--id", "bbb"}, {"FAKE_RANK=0:exit77@1"});
    const json all = json::parse(run({"runs", "--json"}).out);
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0]["run"], "bbb");
    EXPECT_EQ(all[1]["ratio"], 10);
    EXPECT_EQ(all[1]["ratio_fp16"], 5);
    EXPECT_THAT(run({"runs", "--filter", "lph"}).out, HasSubstr("alpha"));
    EXPECT_THAT(run({"runs", "--filter", "lph"}).out, Not(HasSubstr("beta")));
    EXPECT_THAT(run({"runs", "--filter", "status=failed"}).out, HasSubstr("bbb"));
    EXPECT_THAT(run({"runs", "--filter", "status=failed"}).out, Not(HasSubstr("aaa")));
    EXPECT_EQ(run({"runs", "--filter", "status=odd"}).exitCode, 2);
    EXPECT_EQ(run({"runs", "--filter", "odd=1"}).exitCode, 2);
}

TEST_F(CommandLineTest, ShowTellsEverythingAboutOneRun) {
    run({"run", spec("shown", 2), "--id", "shown1"});
    const CommandResult text = run({"show", "shown"});
    EXPECT_EQ(text.exitCode, 0);
    EXPECT_THAT(text.out, StartsWith("run shown1 (shown): done\n"));
    EXPECT_THAT(text.out, HasSubstr("fc.weight"));
    EXPECT_THAT(text.out, HasSubstr("8 x 4"));
    EXPECT_THAT(text.out, HasSubstr("initial"));
    const json shown = json::parse(run({"show", "shown1", "--json"}).out);
    EXPECT_EQ(shown["layers"].size(), 2u);
    EXPECT_EQ(shown["epoch_rows"].size(), 2u);
    EXPECT_EQ(shown["decisions"].size(), 2u);
    EXPECT_EQ(shown["spec"]["train"]["epochs"], 2);
    const CommandResult absent = run({"show", "absent"});
    EXPECT_EQ(absent.exitCode, 2);
    EXPECT_THAT(absent.err, HasSubstr("'absent'"));
}

TEST_F(CommandLineTest, ReadingFromAStoreThatIsNotThereIsAStoreError) {
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"show", "x"}, {"compare", "x"}, {"ctl", "x", "stop"}}) {
        EXPECT_EQ(run(command).exitCode, 3) << command[0];
    }
    EXPECT_FALSE(std::filesystem::exists(folder_.file())) << "reading must not create a store";
}

TEST_F(CommandLineTest, ReadingWorksWhileAnotherProgramWrites) {
    run({"run", spec("busy", 1), "--id", "busy"});
    SQLite::Database other(folder_.file().string(), SQLite::OPEN_READWRITE);
    other.exec("BEGIN IMMEDIATE");
    EXPECT_THAT(run({"runs"}).out, HasSubstr("busy"));
    EXPECT_EQ(run({"show", "busy"}).exitCode, 0);
    EXPECT_EQ(run({"compare", "busy"}).exitCode, 0);
}

TEST_F(CommandLineTest, CompareShowsDifferencesToTheBaseline) {
    run({"run", spec("base", 1), "--id", "base1"});
    run({"run", spec("more", 2), "--id", "more1"});
    const CommandResult text = run({"compare", "more", "--baseline", "base"});
    EXPECT_EQ(text.exitCode, 0);
    EXPECT_THAT(text.out, HasSubstr("* base"));
    EXPECT_THAT(text.out, HasSubstr("2.00x"));
    const json compared = json::parse(run({"compare", "base", "more", "--json"}).out);
    ASSERT_EQ(compared.size(), 2u);
    EXPECT_EQ(compared[1]["baseline"], "base1");
    EXPECT_EQ(compared[0]["difference"]["wire_bytes"], 0);
    EXPECT_EQ(compared[1]["difference"]["wire_bytes"], 400);
    EXPECT_EQ(compared[1]["difference"]["test_accuracy"], 0);
}

class BatchTest : public CommandLineTest {
 protected:
    std::string study() const {
        return write("study.toml", R"(name = "study"
seeds = [1, 2]
)" + kTables + R"([train]
epochs = 2
[[variant]]
name = "a"
[[variant]]
name = "b"
set = { "train.lr" = 0.2 }
)");
    }
};

TEST_F(BatchTest, TrainsVariantsTimesSeedsAndSkipsWhatIsFinished) {
    const CommandResult first = run({"batch", study()});
    EXPECT_EQ(first.exitCode, 0) << first.err;
    EXPECT_THAT(first.err, HasSubstr("trial 4 of 4: b, seed 2\n"));
    EXPECT_THAT(first.out, HasSubstr("0.7500 ± 0.0000"));
    EXPECT_THAT(first.out, HasSubstr("2/2"));
    EXPECT_EQ(RunReader(folder_.file()).runs().size(), 4u);
    const CommandResult second = run({"batch", study(), "--resume"});
    EXPECT_EQ(second.exitCode, 0);
    EXPECT_THAT(second.err, HasSubstr("trial 1 of 4: a, seed 1: skipped, finished as run "));
    EXPECT_EQ(RunReader(folder_.file()).runs().size(), 4u);
}

TEST_F(BatchTest, GoesOnAfterAFailureAndRetriesOnlyThat) {
    const CommandResult failed = run({"batch", study()}, {"FAKE_RANK=1:kill@6"});
    EXPECT_EQ(failed.exitCode, 1);
    EXPECT_EQ(RunReader(folder_.file()).runs().size(), 4u);
    EXPECT_THAT(failed.out, HasSubstr("0/2"));
    const CommandResult fast = run({"batch", study(), "--fail-fast"}, {"FAKE_RANK=1:kill@6"});
    EXPECT_EQ(fast.exitCode, 1);
    EXPECT_EQ(RunReader(folder_.file()).runs().size(), 5u);
    EXPECT_EQ(run({"batch", study()}).exitCode, 0);
    EXPECT_EQ(RunReader(folder_.file()).runs().size(), 9u);
}

TEST_F(BatchTest, JsonEndsWithTheTable) {
    const CommandResult result = run({"batch", study(), "--json"});
    const json table = lines(result.out).back();
    EXPECT_EQ(table["event"], "table");
    EXPECT_EQ(table["study"], "study");
    EXPECT_EQ(table["rows"].size(), 2u);
    EXPECT_EQ(table["rows"][1]["variant"], "b");
    EXPECT_EQ(table["trials"].size(), 4u);
}

TEST_F(BatchTest, AnInterruptEndsTheBatch) {
    const int pid = startTraining({kProgram, "batch", study(), "--set", "train.epochs=100000"});
    ::kill(pid, SIGTERM);
    EXPECT_EQ(waitFor(pid), 143);
    EXPECT_EQ(RunReader(folder_.file()).runs().size(), 1u);
}

TEST_F(BatchTest, ParallelJobsAreRefusedInWords) {
    const CommandResult result = run({"batch", study(), "--jobs", "4"});
    EXPECT_EQ(result.exitCode, 2);
    EXPECT_THAT(result.err, HasSubstr("--jobs 4: this version trains one trial after the other"));
}

TEST_F(CommandLineTest, DescribeListsTheCatalogue) {
    const json described = json::parse(run({"describe", "--json"}).out);
    for (const char* family : {"compressors", "policies", "models", "datasets", "metrics"}) {
        EXPECT_FALSE(described[family].empty()) << family;
        EXPECT_TRUE(described[family][0].contains("summary")) << family;
    }
    EXPECT_THAT(run({"describe"}).out, HasSubstr("powersgd"));
}

TEST_F(CommandLineTest, DoctorSaysOkOrWhatToDo) {
    const CommandResult healthy = run({"doctor"});
    EXPECT_EQ(healthy.exitCode, 0) << healthy.out;
    EXPECT_THAT(healthy.out, HasSubstr("ok    engine  libtorch 0.0-fake, backends gloo"));
    EXPECT_THAT(healthy.out,
                HasSubstr("store   " + folder_.file().string() + " is writable, 0 runs"));
    EXPECT_THAT(healthy.out, HasSubstr("ok    sqlite  3."));
    EXPECT_THAT(healthy.out, HasSubstr("fashion-mnist: all files are complete"));
    const CommandResult broken =
        run({"doctor", "--json"}, {"CONCERTINA_RANK_PROGRAM=/nonexistent/rank"});
    EXPECT_EQ(broken.exitCode, 1);
    const json findings = json::parse(broken.out);
    EXPECT_EQ(findings[0]["check"], "engine");
    EXPECT_EQ(findings[0]["health"], "fail");
    EXPECT_THAT(findings[0]["found"].get<std::string>(), HasSubstr("/nonexistent/rank"));
    EXPECT_THAT(findings[0]["advice"].get<std::string>(), HasSubstr("installer/setup.sh"));
}

}  // namespace
}  // namespace concertina
