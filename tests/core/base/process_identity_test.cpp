// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/process_identity.h"

namespace concertina {
namespace {

TEST(ProcessIdentity, ThisProcessLives) {
    const ProcessIdentity me = thisProcess();
    EXPECT_EQ(me.pid, ::getpid());
    EXPECT_GT(me.startTicks, 0);
    EXPECT_EQ(me.bootId.size(), 36u);
    EXPECT_FALSE(me.host.empty());
    EXPECT_TRUE(isAlive(me));
}

TEST(ProcessIdentity, AReusedPidAnotherBootAndNobodyAreNotAlive) {
    ProcessIdentity other = thisProcess();
    other.startTicks += 1;
    EXPECT_FALSE(isAlive(other));
    other = thisProcess();
    other.bootId = "00000000-0000-0000-0000-000000000000";
    EXPECT_FALSE(isAlive(other));
    EXPECT_FALSE(isAlive(ProcessIdentity{})) << "a row without a supervisor";
    EXPECT_FALSE(isAlive(ProcessIdentity{0, 0, thisProcess().bootId, thisProcess().host}));
}

TEST(ProcessIdentity, AnotherHostCannotBeJudgedFromHere) {
    ProcessIdentity other = thisProcess();
    other.host = "elsewhere.example";
    other.bootId = "00000000-0000-0000-0000-000000000000";
    EXPECT_TRUE(isAlive(other));
}

TEST(ProcessIdentity, AZombieAndAnEndedProcessAreNotAlive) {
    const pid_t child = ::fork();
    if (child == 0) {
        ::prctl(PR_SET_NAME, "odd) 9 (name");  // the name field must not shift the others
        ::pause();
        ::_exit(0);
    }
    const ProcessIdentity me = thisProcess();
    // The child's start time is not known here, so it is looked for: within a few ticks of now.
    std::int64_t ticks = me.startTicks;
    while (ticks < me.startTicks + 100'000 && !isAlive({child, ticks, me.bootId, me.host})) {
        ++ticks;
    }
    const ProcessIdentity identity{child, ticks, me.bootId, me.host};
    EXPECT_TRUE(isAlive(identity));
    ::kill(child, SIGKILL);
    siginfo_t info{};
    ASSERT_EQ(::waitid(P_PID, child, &info, WEXITED | WNOWAIT), 0);
    EXPECT_FALSE(isAlive(identity)) << "a zombie";
    ::waitpid(child, nullptr, 0);
    EXPECT_FALSE(isAlive(identity)) << "reaped";
}

}  // namespace
}  // namespace concertina
