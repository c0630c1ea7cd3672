// SPDX-License-Identifier: Apache-2.0
// CommandLineTest: `concertina` as a process on a store of its own, with fake ranks.
#pragma once
#include <gmock/gmock.h>

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "core/store/reader.h"
#include "tests/support/processes.h"
#include "tests/support/store_folder.h"

namespace concertina {

inline const std::string kProgram = std::string(CONCERTINA_BIN_DIR) + "/concertina";

/// What every spec must name.
inline const std::string kTables = R"([data]
name = "fashion-mnist"
[model]
name = "mlp"
[compress]
name = "topk"
[policy]
name = "static"
)";

class CommandLineTest : public testing::Test {
 protected:
    std::vector<std::string> environment(const std::vector<std::string>& added = {}) const {
        std::vector<std::string> lines{"CONCERTINA_STORE=" + folder_.file().string(),
                                       "CONCERTINA_RANK_PROGRAM=" CONCERTINA_BIN_DIR "/fake_rank"};
        lines.insert(lines.end(), added.begin(), added.end());
        return lines;
    }
    CommandResult run(std::vector<std::string> arguments,
                      const std::vector<std::string>& added = {}) const {
        arguments.insert(arguments.begin(), kProgram);
        return runCommand(arguments, environment(added));
    }
    std::string write(const std::string& name, const std::string& text) const {
        const std::string file = folder_.path() / name;
        std::ofstream(file) << text;
        return file;
    }
    std::string spec(const std::string& name, int epochs) const {
        return write(name + ".toml", "name = \"" + name + "\"\n" + kTables +
                                         "[train]\nepochs = " + std::to_string(epochs) + "\n");
    }
    /// A shell's command line on this store.
    CommandResult shell(const std::string& script,
                        const std::vector<std::string>& added = {}) const {
        return runCommand({"/bin/bash", "-c", script}, environment(added));
    }
    /// Starts it with slow ranks; returns its pid once the first epoch is recorded. Its outputs go
    /// to the files `out` and `err`.
    int startTraining(const std::vector<std::string>& command,
                      const std::vector<std::string>& added = {}) const {
        std::vector<std::string> lines = environment(added);
        lines.emplace_back("FAKE_RANK_STEP_MS=10");
        std::filesystem::remove(folder_.path() / "err");  // what an earlier run said
        const int pid =
            startCommand(command, lines, folder_.path() / "out", folder_.path() / "err");
        while (contentOf(folder_.path() / "err").find("epoch 1/") == std::string::npos) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        return pid;
    }
    RunRow stored(const std::string& id) const { return RunReader(folder_.file()).run(id).value(); }
    std::vector<int> processesLeft() const { return processesMentioning(folder_.file().string()); }
    static std::vector<nlohmann::json> lines(const std::string& text) {
        std::vector<nlohmann::json> objects;
        std::istringstream stream(text);
        for (std::string line; std::getline(stream, line);) {
            objects.push_back(nlohmann::json::parse(line));
        }
        return objects;
    }
    StoreFolder folder_;
};

}  // namespace concertina
