// SPDX-License-Identifier: Apache-2.0
#include "app/interrupt.h"

#include <signal.h>

#include "tests/app/command_line.h"

namespace concertina {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class InterruptTest : public CommandLineTest {
 protected:
    std::vector<std::string> command() const {
        return {kProgram, "run", spec("long", 100000), "--id", "long"};
    }
};

TEST_F(InterruptTest, CtrlCStoresWhatWasRecordedAndExits130) {
    const int pid = startTraining(command());
    ::kill(pid, SIGINT);
    EXPECT_EQ(waitFor(pid), 130);
    const RunRow row = stored("long");
    EXPECT_EQ(row.status, RunStatus::Stopped);
    EXPECT_GE(row.epochsDone, 1);
    EXPECT_EQ(row.exitCode, 130);
    EXPECT_THAT(contentOf(folder_.path() / "out"),
                HasSubstr("stopped: interrupted by SIGINT after "));
    EXPECT_THAT(processesLeft(), IsEmpty());
}

TEST_F(InterruptTest, CtrlCTwiceKillsRanksThatDoNotListen) {
    const int pid = startTraining(command(), {"FAKE_RANK=0:stall@6"});
    ::kill(pid, SIGINT);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));  // one signal, not two merged
    ::kill(pid, SIGINT);
    EXPECT_EQ(waitFor(pid), 130);
    EXPECT_EQ(stored("long").reason, "interrupted twice: ranks were killed at once");
    EXPECT_THAT(processesLeft(), IsEmpty());
}

TEST_F(InterruptTest, AClosedTerminalStopsARunUnlessItWasToldToOutliveIt) {
    const int ended = startTraining(command());
    ::kill(ended, SIGHUP);
    EXPECT_EQ(waitFor(ended), 129);
    EXPECT_EQ(stored("long").status, RunStatus::Stopped);
    EXPECT_THAT(stored("long").reason, HasSubstr("SIGHUP"));

    const std::string file = spec("kept", 100000);
    const int kept = startTraining(
        {"/bin/bash", "-c", "trap '' HUP; exec " + kProgram + " run " + file + " --id kept"});
    ::kill(kept, SIGHUP);
    ::kill(kept, SIGTERM);
    EXPECT_EQ(waitFor(kept), 143);
    EXPECT_THAT(stored("kept").reason, HasSubstr("SIGTERM"));
    EXPECT_THAT(processesLeft(), IsEmpty());
}

// From before the program has read its arguments to after its ranks have joined.
TEST_F(InterruptTest, AtAnyMomentItEndsTheRunInOrder) {
    for (const int delayMs : {1, 5, 10, 15, 20, 30, 50, 100}) {
        const std::string id = "after" + std::to_string(delayMs);
        const int pid = startCommand({kProgram, "run", spec(id, 100000), "--id", id}, environment(),
                                     folder_.path() / "out", folder_.path() / "err");
        std::this_thread::sleep_for(std::chrono::milliseconds(delayMs));
        ::kill(pid, SIGINT);
        EXPECT_EQ(waitFor(pid), 130) << id;
        if (std::filesystem::exists(folder_.file())) {
            const auto row = RunReader(folder_.file()).run(id);
            EXPECT_TRUE(!row || row->status == RunStatus::Stopped) << id << toText(row->status);
        }
        EXPECT_THAT(processesLeft(), IsEmpty()) << id;
    }
}

}  // namespace
}  // namespace concertina
