// SPDX-License-Identifier: Apache-2.0
// Looking at real processes in tests.
#pragma once
#include <string>
#include <vector>

namespace concertina {

/// Pids of living processes (no zombies) whose command line holds `text`.
std::vector<int> processesMentioning(const std::string& text);

/// Sets an environment variable for the life of the object.
class ScopedEnvironment {
 public:
    ScopedEnvironment(const char* name, const std::string& value);
    ~ScopedEnvironment();
    ScopedEnvironment(const ScopedEnvironment&) = delete;
    ScopedEnvironment& operator=(const ScopedEnvironment&) = delete;

 private:
    const char* name_;
};

struct CommandResult {
    int exitCode = -1;  // 128 + signal if one ended it
    std::string out, err;
};
/// Runs a program to its end. `environment`: "NAME=value" added to this process's.
CommandResult runCommand(const std::vector<std::string>& arguments,
                         const std::vector<std::string>& environment = {});

/// Starts a program without waiting; its output goes to `outFile` and `errFile`.
int startCommand(const std::vector<std::string>& arguments,
                 const std::vector<std::string>& environment,
                 const std::string& outFile,
                 const std::string& errFile);
/// Waits for its end; exit code as in CommandResult.
int waitFor(int pid);

std::string contentOf(const std::string& file);

}  // namespace concertina
