// SPDX-License-Identifier: Apache-2.0
#include "core/launch/rank_group.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "core/base/error.h"
#include "tests/support/processes.h"
#include "tests/support/store_folder.h"

namespace concertina {
namespace {

using testing::HasSubstr;

SpawnRequest shell(const std::string& script) { return {.arguments = {"/bin/sh", "-c", script}}; }

std::vector<RankExit> collectAll(RankGroup& group) {
    std::vector<RankExit> all;
    while (group.anyAlive()) {
        for (const RankExit& exit : group.collect()) {
            all.push_back(exit);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return all;
}

class RankGroupTest : public testing::Test {
 protected:
    std::filesystem::path log(int rank) const {
        return folder_.path() / ("rank" + std::to_string(rank) + ".log");
    }
    /// The number a script wrote into `file`, once it is there.
    pid_t pidIn(const std::filesystem::path& file) const {
        while (contentOf(file).find('\n') == std::string::npos) {
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        return static_cast<pid_t>(std::stol(contentOf(file)));
    }
    StoreFolder folder_;
};

TEST_F(RankGroupTest, TellsHowEachRankEnded) {
    RankGroup group;
    group.spawn(shell("exit 0"), log(0));
    group.spawn(shell("exit 7"), log(1));
    group.spawn(shell("kill -SEGV $$"), log(2));
    const std::vector<RankExit> exits = collectAll(group);
    ASSERT_EQ(exits.size(), 3u);
    for (const RankExit& exit : exits) {
        EXPECT_EQ(exit.end.bySignal, exit.rank == 2);
        EXPECT_EQ(exit.end.code, exit.rank == 0 ? 0 : exit.rank == 1 ? 7 : SIGSEGV);
        EXPECT_EQ(exit.failed(), exit.rank != 0);
    }
}

TEST_F(RankGroupTest, LastWordsAreTheLastLinesWithoutControlCharacters) {
    RankGroup group;
    group.spawn(shell("for i in 1 2 3 4 5; do echo line $i; done; printf '\\n\\033[31mred\\n' >&2"),
                log(0));
    group.spawn(shell(":"), log(1));
    collectAll(group);
    EXPECT_EQ(group.lastWords(0), "line 3 | line 4 | line 5 |  [31mred");
    EXPECT_EQ(group.lastWords(1), "");
}

TEST_F(RankGroupTest, ChildHasItsEnvironmentAndOnlyTheDescriptorItMayKeep) {
    const int kept = ::open("/dev/null", O_RDONLY);
    const int other = ::fcntl(kept, F_DUPFD, 50);  // above what ls opens for itself
    SpawnRequest request = shell("echo $GREETING; ls /proc/self/fd | tr '\\n' ' '");
    request.environment = {{"GREETING", "hello"}};
    request.keepFd = kept;
    RankGroup group;
    group.spawn(request, log(0));
    collectAll(group);
    const std::string said = " " + contentOf(log(0));
    EXPECT_THAT(said, HasSubstr("hello\n"));
    EXPECT_THAT(said, HasSubstr(" " + std::to_string(kept) + " "));
    EXPECT_THAT(said, testing::Not(HasSubstr(" " + std::to_string(other) + " ")));
    ::close(kept);
    ::close(other);
}

TEST_F(RankGroupTest, KillAllEndsStoppedRanksAndTheirChildren) {
    RankGroup group;
    const auto file = folder_.path() / "grandchild";
    group.spawn(shell("sleep 1000 & echo $! > " + file.string() + "; kill -STOP $$"), log(0));
    const pid_t grandchild = pidIn(file);
    while (group.stateOf(0) != 'T') {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    group.killAll();
    EXPECT_FALSE(group.anyAlive());
    // The grandchild's new parent reaps it; until then it is a zombie.
    while (::kill(grandchild, 0) == 0 &&
           contentOf("/proc/" + std::to_string(grandchild) + "/stat").find(") Z") ==
               std::string::npos) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

TEST_F(RankGroupTest, RanksDieWithTheProcessThatStartedThem) {
    const auto file = folder_.path() / "pid";
    const pid_t supervisor = ::fork();
    if (supervisor == 0) {
        RankGroup group;
        group.spawn(shell("echo $$ > " + file.string() + "; sleep 1000"), log(0));
        ::pause();
        ::_exit(0);
    }
    const pid_t rank = pidIn(file);
    EXPECT_EQ(::kill(rank, 0), 0);
    ::kill(supervisor, SIGKILL);
    ::waitpid(supervisor, nullptr, 0);
    while (::kill(rank, 0) == 0 &&
           contentOf("/proc/" + std::to_string(rank) + "/stat").find(") Z") == std::string::npos) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

TEST_F(RankGroupTest, AProgramThatCannotStartIsAnErrorThatNamesIt) {
    RankGroup group;
    try {
        group.spawn({.arguments = {"/nonexistent/concertina-rank"}}, log(0));
        ADD_FAILURE() << "started";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(),
                     "cannot start /nonexistent/concertina-rank: No such file or directory");
    }
    EXPECT_FALSE(group.anyAlive());
}

}  // namespace
}  // namespace concertina
