// SPDX-License-Identifier: Apache-2.0
#include "app/exit_code.h"

#include <SQLiteCpp/Database.h>

#include "tests/app/command_line.h"

namespace concertina {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

TEST(ExitCode, OneForEachKind) {
    EXPECT_EQ(exitCodeOf(ErrorKind::Usage), 2);
    EXPECT_EQ(exitCodeOf(ErrorKind::Store), 3);
    EXPECT_EQ(exitCodeOf(ErrorKind::Diverged), 4);
    EXPECT_EQ(exitCodeOf(ErrorKind::RankLost), 5);
    EXPECT_EQ(exitCodeOf(ErrorKind::Machine), 5);
}

/// Every command that opens a store, on one that cannot be used.
class UnusableStoreTest : public CommandLineTest {
 protected:
    void expectRefused(const std::string& store, const std::string& why) const {
        for (const std::vector<std::string>& command :
             {std::vector<std::string>{"run", spec("refused", 1)},
              {"runs"},
              {"show", "x"},
              {"compare", "x"},
              {"ctl", "x", "stop"}}) {
            const CommandResult result = run(command, {"CONCERTINA_STORE=" + store});
            EXPECT_EQ(result.exitCode, 3) << command[0] << " on " << why;
            EXPECT_THAT(result.err, StartsWith("concertina: cannot ")) << command[0];
            EXPECT_THAT(result.err, HasSubstr(why)) << command[0];
            EXPECT_EQ(result.out, "") << command[0];
        }
        EXPECT_THAT(processesMentioning(folder_.path().string()), IsEmpty());
    }
};

TEST_F(UnusableStoreTest, AFileOfSomethingElse) {
    expectRefused(write("notes.txt", std::string(8192, 'x')), "not an SQLite file");
}

TEST_F(UnusableStoreTest, ADatabaseOfAnotherProgram) {
    const std::string file = folder_.path() / "other.sqlite";
    SQLite::Database(file, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
        .exec("CREATE TABLE songs (title TEXT)");
    expectRefused(file, "SQLite file of another program");
}

TEST_F(UnusableStoreTest, ADamagedStore) {
    run({"run", spec("sound", 3), "--id", "sound"});
    std::fstream file(folder_.file(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(4096);  // the header stays, and with it the look of a store
    file << std::string(4096 * 30, '\x7f');
    file.close();
    expectRefused(folder_.file(), "is damaged");
}

TEST_F(UnusableStoreTest, AFolder) { expectRefused(folder_.path(), "it is a folder"); }

TEST_F(UnusableStoreTest, APlaceThatCannotBe) {
    const std::string below = write("file", "") + "/runs.sqlite";
    EXPECT_EQ(run({"run", spec("refused", 1)}, {"CONCERTINA_STORE=" + below}).exitCode, 3);
    expectRefused("/" + std::string(5000, 'x'), "File name too long");
}

TEST_F(UnusableStoreTest, AStoreOfANewerVersionIsLeftAlone) {
    run({"run", spec("sound", 1), "--id", "sound"});
    SQLite::Database(folder_.file().string(), SQLite::OPEN_READWRITE)
        .exec("PRAGMA user_version = 999");
    const std::string before = contentOf(folder_.file());
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"run", spec("refused", 1)}, {"runs"}, {"show", "sound"}}) {
        const CommandResult result = run(command);
        EXPECT_EQ(result.exitCode, 3) << command[0];
        EXPECT_THAT(result.err, HasSubstr("has version 999")) << command[0];
    }
    EXPECT_EQ(contentOf(folder_.file()), before);
}

}  // namespace
}  // namespace concertina
