// SPDX-License-Identifier: Apache-2.0
#include "core/base/process_identity.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace concertina {
namespace {

/// A child that waits to be killed, and what it says about itself.
struct Child {
    pid_t pid = 0;
    ProcessIdentity identity;
};

Child startChild() {
    int pipeEnds[2];
    EXPECT_EQ(::pipe(pipeEnds), 0);
    Child child;
    child.pid = ::fork();
    if (child.pid == 0) {
        const std::int64_t ticks = thisProcess().startTicks;
        [[maybe_unused]] const auto written = ::write(pipeEnds[1], &ticks, sizeof ticks);
        for (;;) {
            ::pause();
        }
    }
    child.identity = thisProcess();
    child.identity.pid = child.pid;
    EXPECT_EQ(::read(pipeEnds[0], &child.identity.startTicks, sizeof(std::int64_t)), 8);
    ::close(pipeEnds[0]);
    ::close(pipeEnds[1]);
    return child;
}

TEST(ProcessIdentity, ThisProcessIsAliveUnderItsOwnPid) {
    const ProcessIdentity self = thisProcess();
    EXPECT_EQ(self.pid, ::getpid());
    EXPECT_GT(self.startTicks, 0);
    EXPECT_EQ(self.bootId.size(), 36u);
    EXPECT_FALSE(self.host.empty());
    EXPECT_TRUE(isAlive(self));
}

TEST(ProcessIdentity, AReusedPidAnotherBootAndAnotherHostAreNotAlive) {
    const ProcessIdentity self = thisProcess();
    ProcessIdentity other = self;
    other.startTicks -= 1;
    EXPECT_FALSE(isAlive(other));
    other = self;
    other.bootId = "00000000-0000-0000-0000-000000000000";
    EXPECT_FALSE(isAlive(other));
    other = self;
    other.host = "elsewhere";
    EXPECT_FALSE(isAlive(other));
    EXPECT_FALSE(isAlive(ProcessIdentity{}));
}

TEST(ProcessIdentity, AChildLivesUntilItIsKilledAlsoBeforeItIsReaped) {
    const Child child = startChild();
    EXPECT_TRUE(isAlive(child.identity));
    ASSERT_EQ(::kill(child.pid, SIGKILL), 0);
    siginfo_t info;
    ASSERT_EQ(::waitid(P_PID, child.pid, &info, WEXITED | WNOWAIT), 0);  // dead, still a zombie
    EXPECT_FALSE(isAlive(child.identity));
    ASSERT_EQ(::waitpid(child.pid, nullptr, 0), child.pid);
    EXPECT_FALSE(isAlive(child.identity));
}

}  // namespace
}  // namespace concertina
