// SPDX-License-Identifier: GPL-3.0-or-later
// The launcher against stand-ins for the command line: shell scripts that refuse, stay silent or
// are missing.
#include "gui/launch/launcher.h"

#include <gmock/gmock.h>

#include <QSignalSpy>
#include <QTest>
#include <fstream>

#include "core/base/error.h"
#include "gui/launch/detached_process.h"
#include "tests/support/generated_run.h"
#include "tests/support/store_folder.h"

namespace concertina::gui {
namespace {

using testing::HasSubstr;

constexpr int kPatienceMs = 60000;

std::filesystem::path makeScript(const StoreFolder& folder, const std::string& body) {
    const std::filesystem::path script = folder.path() / "script.sh";
    std::ofstream(script) << "#!/bin/sh\n" << body;
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    return script;
}

std::string textOf(const std::filesystem::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST(DetachedProcess, TellsTheExitCodeAndKeepsBothOutputs) {
    const StoreFolder folder;
    const auto log = folder.path() / "log";
    auto process =
        DetachedProcess::start({makeScript(folder, "echo out\necho err >&2\nexit 3\n")}, log);
    ASSERT_TRUE(QTest::qWaitFor([&] { return process.exitCode().has_value(); }, kPatienceMs));
    EXPECT_EQ(process.exitCode(), 3);
    EXPECT_EQ(process.exitCode(), 3);  // and again, though the process is gone
    EXPECT_EQ(textOf(log), "out\nerr\n");
}

TEST(DetachedProcess, LeadsASessionOfItsOwn) {
    const StoreFolder folder;
    const auto log = folder.path() / "log";
    auto process =
        DetachedProcess::start({makeScript(folder, "cut -d' ' -f6 /proc/$$/stat\n")}, log);
    ASSERT_TRUE(QTest::qWaitFor([&] { return process.exitCode().has_value(); }, kPatienceMs));
    EXPECT_EQ(textOf(log), std::to_string(process.pid()) + "\n");
}

TEST(DetachedProcess, NamesAProgramThatIsNotThere) {
    const StoreFolder folder;
    try {
        DetachedProcess::start({"/nowhere/concertina"}, folder.path() / "log");
        FAIL() << "started";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("cannot start /nowhere/concertina"));
    }
}

TEST(Launcher, PassesOnWhyARunWasRefused) {
    const StoreFolder folder;
    const auto script =
        makeScript(folder, "echo 'train-images: 7 bytes, expected 47040016' >&2\nexit 2\n");
    Launcher launcher(folder.file(), script);
    QSignalSpy failed(&launcher, &Launcher::failed);
    const QString id = launcher.launchRun(defaultRunSpec());
    ASSERT_TRUE(QTest::qWaitFor([&] { return failed.count() > 0; }, kPatienceMs));
    EXPECT_EQ(failed[0][0].toString(), id);
    EXPECT_EQ(failed[0][1].toString(), "train-images: 7 bytes, expected 47040016");
}

TEST(Launcher, SaysSoWhenNothingWasSaid) {
    const StoreFolder folder;
    Launcher launcher(folder.file(), makeScript(folder, "exit 5\n"));
    QSignalSpy failed(&launcher, &Launcher::failed);
    launcher.launchRun(defaultRunSpec());
    ASSERT_TRUE(QTest::qWaitFor([&] { return failed.count() > 0; }, kPatienceMs));
    EXPECT_TRUE(failed[0][1].toString().contains("exit code 5"));
}

TEST(Launcher, NamesTheMissingProgram) {
    const StoreFolder folder;
    Launcher launcher(folder.file(), folder.path() / "concertina");
    QSignalSpy failed(&launcher, &Launcher::failed);
    launcher.launchRun(defaultRunSpec());
    ASSERT_TRUE(QTest::qWaitFor([&] { return failed.count() > 0; }, kPatienceMs));
    EXPECT_TRUE(failed[0][1].toString().contains("belongs beside concertina-workbench"));
}

TEST(Launcher, HasStartedOnceTheRowIsInTheStore) {
    const StoreFolder folder;
    Launcher launcher(folder.file(), makeScript(folder, "sleep 1\n"));
    QSignalSpy started(&launcher, &Launcher::started);
    QSignalSpy failed(&launcher, &Launcher::failed);
    const QString id = launcher.launchRun(defaultRunSpec());
    RunWriter writer(folder.file());
    GeneratedRunOptions options;
    options.id = id.toStdString();
    writeGeneratedRun(writer, options, 0);
    ASSERT_TRUE(QTest::qWaitFor([&] { return started.count() + failed.count() > 0; }, kPatienceMs));
    ASSERT_EQ(started.count(), 1);
    EXPECT_EQ(started[0][0].toString(), id);
}

TEST(Launcher, CommandRunsTheSameSpecWithoutAFile) {
    const StoreFolder folder;
    const Launcher launcher("/tmp/my store.sqlite", "concertina");
    const std::string command = launcher.runCommand(defaultRunSpec()).toStdString();
    EXPECT_THAT(command,
                HasSubstr("concertina run /dev/stdin --store '/tmp/my store.sqlite' <<'END'\n"));
    EXPECT_THAT(command, HasSubstr(toToml(defaultRunSpec()) + "END\n"));
}

}  // namespace
}  // namespace concertina::gui
