// SPDX-License-Identifier: Apache-2.0
// The workbench as a program, on screens and stores that cannot be used.
#include <gmock/gmock.h>

#include <fstream>

#include "tests/support/processes.h"
#include "tests/support/store_folder.h"

namespace concertina {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class WorkbenchTest : public testing::Test {
 protected:
    /// With this environment and nothing else.
    CommandResult start(const std::vector<std::string>& environment,
                        const std::vector<std::string>& options = {}) const {
        std::vector<std::string> command{"/usr/bin/env", "-i"};
        command.insert(command.end(), environment.begin(), environment.end());
        command.emplace_back(CONCERTINA_BIN_DIR "/concertina-workbench");
        command.insert(command.end(), options.begin(), options.end());
        return runCommand(command);
    }
    void expectNoDisplay(const std::vector<std::string>& environment,
                         const std::string& why) const {
        const CommandResult result = start(environment, {"--store", "my.sqlite"});
        EXPECT_EQ(result.exitCode, 2) << result.err;
        EXPECT_THAT(result.err, StartsWith("concertina-workbench: no display ("));
        EXPECT_THAT(result.err, HasSubstr(why));
        EXPECT_THAT(result.err,
                    HasSubstr("concertina batch experiments/first/study.toml --store my.sqlite "));
    }

    StoreFolder folder_;
};

TEST_F(WorkbenchTest, WithoutADisplayItNamesTheCommandLineAndEndsInOrder) {
    expectNoDisplay({}, "neither DISPLAY nor WAYLAND_DISPLAY is set");
    expectNoDisplay({"DISPLAY=:4242"}, "could not connect to display :4242");
    expectNoDisplay({"DISPLAY=nonsense"}, "could not connect to display nonsense");
    expectNoDisplay({"WAYLAND_DISPLAY=wayland-4242", "XDG_SESSION_TYPE=wayland"}, "");
    expectNoDisplay({"QT_QPA_PLATFORM=nonsense"}, "Could not find the Qt platform plugin");
}

TEST_F(WorkbenchTest, OpensOnAStoreThatIsNone) {
    const std::string store = folder_.file();
    std::ofstream(store) << std::string(8192, 'x');
    const std::string picture = folder_.path() / "window.png";
    const CommandResult result =
        start({"QT_QPA_PLATFORM=offscreen", "HOME=" + folder_.path().string()},
              {"--store", store, "--screenshot", picture, "--delay", "500", "--page", "runs"});
    EXPECT_EQ(result.exitCode, 0) << result.err;
    EXPECT_TRUE(std::filesystem::exists(picture));
}

TEST_F(WorkbenchTest, WithoutAHomeItAsksForAStore) {
    const CommandResult result = start({"QT_QPA_PLATFORM=offscreen"});
    EXPECT_EQ(result.exitCode, 2);
    EXPECT_THAT(result.err, StartsWith("concertina-workbench: no place for the run store"));
}

}  // namespace
}  // namespace concertina
