// SPDX-License-Identifier: Apache-2.0
#include "core/store/reader.h"

#include <SQLiteCpp/Database.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <random>

#include "core/base/error.h"
#include "core/store/schema.h"
#include "core/store/writer.h"
#include "tests/support/generated_run.h"
#include "tests/support/store_folder.h"

namespace concertina {
namespace {

using testing::AllOf;
using testing::HasSubstr;
namespace fs = std::filesystem;

/// The sentence of the Error(Store) that `call` must throw.
std::string storeErrorOf(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Store) << error.what();
        return error.what();
    }
    ADD_FAILURE() << "no error";
    return "";
}

std::string readError(const fs::path& file) {
    return storeErrorOf([&] { RunReader reader(file); });
}

std::string writeError(const fs::path& file) {
    return storeErrorOf([&] { RunWriter writer(file); });
}

std::string usageErrorOf(RunReader& reader, const std::string& name) {
    try {
        reader.findRun(name);
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Usage);
        return error.what();
    }
    ADD_FAILURE() << "found " << name;
    return "";
}

/// Everything a reader can be asked about.
void readAll(const fs::path& file) {
    RunReader reader(file);
    for (const RunRow& run : reader.runs()) {
        reader.layers(run.id);
        reader.steps(run.id);
        reader.epochs(run.id);
        reader.layerEpochs(run.id);
        reader.decisions(run.id);
        reader.events(run.id);
    }
}

void writeText(const fs::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
}

std::string readText(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(Reader, AMissingFileIsNotMade) {
    StoreFolder folder;
    EXPECT_THAT(readError(folder.file()),
                AllOf(HasSubstr("runs.sqlite"), HasSubstr("no such file")));
    EXPECT_FALSE(fs::exists(folder.file()));
}

TEST(Reader, WhatIsNoStoreIsRefusedByReaderAndWriterAndLeftAsItIs) {
    StoreFolder folder;
    EXPECT_THAT(readError(folder.path()), HasSubstr("it is a folder"));
    EXPECT_THAT(writeError(folder.path()), HasSubstr("it is a folder"));

    const std::string text(5000, 'x');
    writeText(folder.file(), text);
    EXPECT_THAT(readError(folder.file()), HasSubstr("not an SQLite file"));
    EXPECT_THAT(writeError(folder.file()), HasSubstr("not an SQLite file"));
    EXPECT_EQ(readText(folder.file()), text);

    fs::remove(folder.file());
    SQLite::Database(folder.file().string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
        .exec("CREATE TABLE songs (title TEXT)");
    const std::string foreign = readText(folder.file());
    EXPECT_THAT(readError(folder.file()), HasSubstr("SQLite file of another program"));
    EXPECT_THAT(writeError(folder.file()), HasSubstr("SQLite file of another program"));
    EXPECT_EQ(readText(folder.file()), foreign);
}

TEST(Reader, AnEmptyFileIsToldToReadersAndFilledByWriters) {
    StoreFolder folder;
    writeText(folder.file(), "");
    EXPECT_THAT(readError(folder.file()), HasSubstr("it is empty"));
    RunWriter writer(folder.file());
    EXPECT_TRUE(RunReader(folder.file()).runs().empty());
}

TEST(Reader, ANewerStoreIsRefusedNamingBothVersions) {
    StoreFolder folder;
    { RunWriter writer(folder.file()); }
    SQLite::Database(folder.file().string(), SQLite::OPEN_READWRITE)
        .exec("PRAGMA user_version = 7");
    for (const std::string& sentence : {readError(folder.file()), writeError(folder.file())}) {
        EXPECT_THAT(sentence, AllOf(HasSubstr("has version 7"),
                                    HasSubstr("versions up to " + std::to_string(kStoreVersion))));
    }
}

TEST(Reader, AFolderThatCannotBeMadeIsTold) {
    StoreFolder folder;
    writeText(folder.path() / "file", "x");
    EXPECT_THAT(writeError(folder.path() / "file" / "runs.sqlite"), HasSubstr("runs.sqlite"));
}

/// As another user, for root may read everything.
TEST(Reader, AnUnreadableFileIsToldAsSuch) {
    StoreFolder folder;
    { RunWriter writer(folder.file()); }
    const fs::path hidden = folder.path() / "hidden";
    fs::create_directory(hidden);
    ASSERT_EQ(::chmod(folder.path().c_str(), 0755), 0);
    ASSERT_EQ(::chmod(folder.file().c_str(), 0000), 0);
    ASSERT_EQ(::chmod(hidden.c_str(), 0000), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        if (::geteuid() == 0 && ::seteuid(65534) != 0) {
            ::_exit(2);
        }
        const bool file = readError(folder.file()).find("cannot be opened") != std::string::npos;
        const std::string inside = readError(hidden / "runs.sqlite");
        const bool path = inside.find("cannot be looked at") != std::string::npos;
        ::_exit(file && path ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    ::chmod(hidden.c_str(), 0700);
}

TEST(Reader, RunsAreFoundByIdPrefixOrNewestName) {
    StoreFolder folder;
    RunWriter writer(folder.file());
    RunRow run = exampleRun("aaaa00000001");
    writer.createRun(run);
    run.id = "aaaa00000002";
    run.createdMs = 3000;
    writer.createRun(run);
    run.id = "bbbb00000001";
    run.createdMs = 2000;
    run.name = "other";
    writer.createRun(run);
    RunReader reader(folder.file());
    const auto runs = reader.runs();
    ASSERT_EQ(runs.size(), 3u);
    EXPECT_EQ(runs[0].id, "aaaa00000002");  // newest first
    EXPECT_EQ(runs[2].id, "aaaa00000001");
    EXPECT_EQ(reader.findRun("aaaa00000001").id, "aaaa00000001");
    EXPECT_EQ(reader.findRun("bb").id, "bbbb00000001");
    EXPECT_EQ(reader.findRun("example").id, "aaaa00000002");
    EXPECT_THAT(usageErrorOf(reader, "aaaa"),
                AllOf(HasSubstr("begins 2 run ids"), HasSubstr("aaaa00000002, aaaa00000001")));
    EXPECT_THAT(usageErrorOf(reader, "zz"), HasSubstr("no run 'zz'"));
    EXPECT_THAT(usageErrorOf(reader, ""), HasSubstr("name a run"));
    EXPECT_THAT(usageErrorOf(reader, "%"), HasSubstr("no run '%'"));
    EXPECT_EQ(reader.run("nobody"), std::nullopt);
    EXPECT_THAT(storeErrorOf([&] { reader.epochs("nobody"); }), HasSubstr("has no run nobody"));
}

TEST(Reader, AValueOfAnotherVersionIsAnErrorAndNotAGuess) {
    StoreFolder folder;
    RunWriter writer(folder.file());
    writer.createRun(exampleRun("run000000001"));
    SQLite::Database(folder.file().string(), SQLite::OPEN_READWRITE)
        .exec("UPDATE runs SET status = 'dreaming'");
    RunReader reader(folder.file());
    EXPECT_THAT(storeErrorOf([&] { reader.runs(); }), HasSubstr("unknown status 'dreaming'"));
}

TEST(Reader, DamagedStoresGiveAnErrorOrRowsButNeverACrash) {
    StoreFolder folder;
    {
        RunWriter writer(folder.file());
        writeGeneratedRun(writer, {.layers = 12, .epochs = 12, .stepsPerEpoch = 20});
    }  // the last connection folds the log into the file
    const std::string whole = readText(folder.file());
    ASSERT_GT(whole.size(), 30'000u);
    std::mt19937 random(1);
    int refused = 0;
    for (int trial = 0; trial < 60; ++trial) {
        std::string damaged = whole;
        if (trial % 2 == 0) {
            damaged.resize(1 + random() % whole.size());
        } else {
            for (int i = 0; i < 200; ++i) {
                damaged[100 + random() % (whole.size() - 100)] = static_cast<char>(random());
            }
        }
        const fs::path file = folder.path() / ("damaged" + std::to_string(trial));
        writeText(file, damaged);
        try {
            readAll(file);
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::Store) << error.what();
            ++refused;
        }
        try {
            RunWriter writer(file);
            writer.createRun(exampleRun("run000000001"));
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::Store) << error.what();
        }
    }
    EXPECT_GT(refused, 30);
}

}  // namespace
}  // namespace concertina
