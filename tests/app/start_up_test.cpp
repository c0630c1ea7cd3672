// SPDX-License-Identifier: Apache-2.0
// Runs started as shells, services and careless parents start them.
#include "app/start_up.h"

#include "tests/app/command_line.h"

namespace concertina {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class StartUpTest : public CommandLineTest {
 protected:
    /// Trains from a shell that has done `before`.
    void expectDone(const std::string& id, const std::string& before) const {
        const CommandResult result =
            shell(before + "; exec " + kProgram + " run " + spec(id, 2) + " --id " + id);
        EXPECT_EQ(result.exitCode, 0) << before << ": " << result.err;
        EXPECT_EQ(stored(id).status, RunStatus::Done) << before << ": " << stored(id).reason;
        EXPECT_EQ(stored(id).epochsDone, 2) << before;
    }
};

TEST_F(StartUpTest, StandardStreamsMayBeClosed) {
    expectDone("noinput", "exec <&-");
    expectDone("nooutput", "exec >&-");
    expectDone("noerrors", "exec 2>&-");
    expectDone("nothing", "exec <&- >&- 2>&-");
}

TEST_F(StartUpTest, SignalsMayBeIgnored) {
    expectDone("nochildren", "trap '' CHLD");
    expectDone("nothing", "trap '' INT TERM HUP PIPE CHLD");
}

TEST_F(StartUpTest, NeedsNothingOfTheEnvironment) {
    const auto bare = [](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(),
                         {"/usr/bin/env", "-i",
                          "CONCERTINA_RANK_PROGRAM=" CONCERTINA_BIN_DIR "/fake_rank", kProgram});
        return runCommand(arguments);
    };
    EXPECT_EQ(bare({"describe"}).exitCode, 0);
    EXPECT_EQ(bare({"run", "--help"}).exitCode, 0);
    const std::string store = folder_.file();
    const CommandResult done = bare({"run", spec("bare", 1), "--store", store});
    EXPECT_EQ(done.exitCode, 0) << done.err;
    EXPECT_THAT(bare({"runs", "--store", store}).out, HasSubstr("bare"));
    const CommandResult homeless = bare({"runs"});
    EXPECT_EQ(homeless.exitCode, 2);
    EXPECT_THAT(homeless.err, HasSubstr("name one with --store FILE or CONCERTINA_STORE"));
}

// As on a full disk, but without one: no file may grow beyond this, which is too little for a
// store.
TEST_F(StartUpTest, AFileSizeLimitIsAnErrorOfTheStoreAndNoDeath) {
    const CommandResult result =
        shell("ulimit -f 40; exec " + kProgram + " run " + spec("full", 2) + " --id full");
    EXPECT_EQ(result.exitCode, 3);
    EXPECT_THAT(result.err, HasSubstr("run store " + folder_.file().string()));
    EXPECT_THAT(processesLeft(), IsEmpty());
}

}  // namespace
}  // namespace concertina
