// SPDX-License-Identifier: Apache-2.0
#include "core/launch/verdict.h"

#include <gtest/gtest.h>
#include <signal.h>

namespace concertina {
namespace {

RankExit exited(int rank, int code) { return {rank, {.bySignal = false, .code = code}}; }
RankExit killed(int rank, int signal) { return {rank, {.bySignal = true, .code = signal}}; }
std::string silence(int) { return ""; }
std::string words(int rank) { return "words of rank " + std::to_string(rank); }

int blamed(std::vector<RankExit> exits) {
    const RankExit* exit = culprit(exits);
    return exit == nullptr ? -1 : exit->rank;
}

TEST(Verdict, TheFirstDeathBySignalIsBlamedNotThePeersErrors) {
    EXPECT_EQ(blamed({exited(0, 5), exited(2, 5), killed(1, SIGKILL), killed(3, SIGABRT)}), 1);
}

TEST(Verdict, AmongFailuresTheFirstThatIsNotALostPeerIsBlamed) {
    EXPECT_EQ(blamed({exited(0, 5), exited(2, 2), exited(1, 3)}), 2);
    EXPECT_EQ(blamed({exited(3, 5), exited(0, 5)}), 3);
    EXPECT_EQ(blamed({exited(0, 0), exited(1, 0)}), -1);
}

TEST(Verdict, ReasonNamesRankSignalAndLastLines) {
    const Verdict verdict = verdictOnExit(killed(1, SIGSEGV), words);
    EXPECT_EQ(verdict.status, RunStatus::Failed);
    EXPECT_EQ(verdict.exitCode, 5);
    EXPECT_EQ(verdict.rank, 1);
    EXPECT_EQ(verdict.reason,
              "rank 1 died by signal 11 (SIGSEGV); its last lines: words of rank 1");
    EXPECT_EQ(
        verdictOnExit(killed(0, SIGKILL), silence).reason,
        "rank 0 died by signal 9 (SIGKILL), which somebody sent or the kernel for want of memory");
}

TEST(Verdict, ExitCodesOfRanksBecomeThoseOfTheRun) {
    EXPECT_EQ(verdictOnExit(exited(0, 2), silence).exitCode, 2);
    EXPECT_EQ(verdictOnExit(exited(0, 3), silence).exitCode, 3);
    EXPECT_EQ(verdictOnExit(exited(0, 5), silence).exitCode, 5);
    EXPECT_EQ(verdictOnExit(exited(0, 77), silence).exitCode, 5);
    EXPECT_EQ(verdictOnExit(exited(0, 77), silence).reason, "rank 0 ended with exit code 77");
    const Verdict diverged = verdictOnExit(exited(1, 4), words);
    EXPECT_EQ(diverged.exitCode, 4);
    EXPECT_EQ(diverged.status, RunStatus::Diverged);
    EXPECT_EQ(diverged.reason, "training diverged; its last lines: words of rank 1");
}

TEST(Verdict, AStallSaysWhereAndHowLong) {
    RankSight sight{.phase = RankPhase::Training, .step = 12};
    sight.stopped = true;
    const Verdict verdict = verdictOnStall({1, 20.4}, sight, silence);
    EXPECT_EQ(verdict.reason,
              "rank 1 stalled: no progress for 20 s in phase training at step 12, its process is "
              "stopped");
    EXPECT_EQ(verdict.exitCode, 5);
}

TEST(Verdict, ASignalWithoutANameIsShownByNumber) {
    EXPECT_EQ(signalName(SIGTERM), "SIGTERM");
    EXPECT_EQ(signalName(60), "signal 60");
}

}  // namespace
}  // namespace concertina
