// SPDX-License-Identifier: Apache-2.0
#include "app/lost_runs.h"

#include <signal.h>

#include "tests/app/command_line.h"

namespace concertina {
namespace {

class LostRunsTest : public CommandLineTest {
 protected:
    /// What `concertina runs` says of it; empty when there is no such run.
    std::string listedStatus(const std::string& id) const {
        for (const auto& row : nlohmann::json::parse(run({"runs", "--json"}).out)) {
            if (row["run"] == id) {
                return row["status"];
            }
        }
        return "";
    }
};

// From before the program has read its arguments to the middle of training: whatever was written,
// nobody may take the run for one that somebody still works on.
TEST_F(LostRunsTest, ASupervisorKilledAtAnyMomentLeavesNoActiveRunAndNoProcess) {
    for (const int delayMs : {1, 5, 10, 13, 16, 20, 25, 30, 50, 100, 300}) {
        const std::string id = "after" + std::to_string(delayMs);
        const int pid = startCommand({kProgram, "run", spec(id, 100000), "--id", id}, environment(),
                                     folder_.path() / "out", folder_.path() / "err");
        std::this_thread::sleep_for(std::chrono::milliseconds(delayMs));
        ::kill(pid, SIGKILL);
        EXPECT_EQ(waitFor(pid), 128 + SIGKILL);
        const std::string status = listedStatus(id);
        EXPECT_TRUE(status.empty() || status == "lost") << id << " is " << status;
        while (!processesLeft().empty()) {  // SIGKILL is on its way to the ranks
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
    }
}

}  // namespace
}  // namespace concertina
