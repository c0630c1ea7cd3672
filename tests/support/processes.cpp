// SPDX-License-Identifier: Apache-2.0
#include "tests/support/processes.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <filesystem>
#include <fstream>

#include "tests/support/store_folder.h"

namespace concertina {

std::vector<int> processesMentioning(const std::string& text) {
    std::vector<int> pids;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        const std::string name = entry.path().filename().string();
        if (std::isdigit(static_cast<unsigned char>(name[0])) == 0 ||
            std::stoi(name) == ::getpid()) {
            continue;
        }
        // A zombie has an empty command line.
        if (contentOf((entry.path() / "cmdline").string()).find(text) != std::string::npos) {
            pids.push_back(std::stoi(name));
        }
    }
    return pids;
}

ScopedEnvironment::ScopedEnvironment(const char* name, const std::string& value) : name_(name) {
    ::setenv(name, value.c_str(), 1);
}

ScopedEnvironment::~ScopedEnvironment() { ::unsetenv(name_); }

int startCommand(const std::vector<std::string>& arguments,
                 const std::vector<std::string>& environment,
                 const std::string& outFile,
                 const std::string& errFile) {
    const pid_t pid = ::fork();
    if (pid != 0) {
        return pid;
    }
    ::dup2(::open(outFile.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
    ::dup2(::open(errFile.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
    std::vector<char*> pointers;
    for (const std::string& argument : arguments) {
        pointers.push_back(const_cast<char*>(argument.c_str()));
    }
    pointers.push_back(nullptr);
    for (const std::string& line : environment) {
        ::putenv(const_cast<char*>(line.c_str()));
    }
    ::execv(pointers[0], pointers.data());
    ::_exit(127);
}

int waitFor(int pid) {
    int status = 0;
    ::waitpid(pid, &status, 0);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

CommandResult runCommand(const std::vector<std::string>& arguments,
                         const std::vector<std::string>& environment) {
    const StoreFolder folder;
    const std::string out = folder.path() / "out";
    const std::string err = folder.path() / "err";
    const int exitCode = waitFor(startCommand(arguments, environment, out, err));
    return {exitCode, contentOf(out), contentOf(err)};
}

std::string contentOf(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace concertina
