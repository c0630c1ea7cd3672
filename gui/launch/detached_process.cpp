// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/launch/detached_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "core/base/error.h"

namespace concertina::gui {
namespace {

/// Owns what posix_spawn wants prepared.
struct SpawnPlan {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;

    explicit SpawnPlan(const std::string& log) {
        posix_spawn_file_actions_init(&files);
        posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log.c_str(),
                                         O_WRONLY | O_CREAT | O_APPEND, 0644);
        posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
        posix_spawnattr_init(&attributes);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    }
    ~SpawnPlan() {
        posix_spawnattr_destroy(&attributes);
        posix_spawn_file_actions_destroy(&files);
    }
    SpawnPlan(const SpawnPlan&) = delete;
    SpawnPlan& operator=(const SpawnPlan&) = delete;
};

}  // namespace

DetachedProcess DetachedProcess::start(const std::vector<std::string>& argv,
                                       const std::filesystem::path& log) {
    std::vector<char*> arguments;
    arguments.reserve(argv.size() + 1);
    for (const std::string& argument : argv) {
        arguments.push_back(
            const_cast<char*>(argument.c_str()));  // posix_spawn does not write to them
    }
    arguments.push_back(nullptr);
    const SpawnPlan plan(log.string());
    pid_t pid = 0;
    const int failure = posix_spawn(&pid, argv.front().c_str(), &plan.files, &plan.attributes,
                                    arguments.data(), environ);
    if (failure != 0) {
        throw Error(ErrorKind::Machine, "cannot start " + argv.front() + " (log " + log.string() +
                                            "): " + std::strerror(failure));
    }
    return DetachedProcess(pid);
}

std::optional<int> DetachedProcess::exitCode() {
    int status = 0;
    if (!exitCode_ && waitpid(pid_, &status, WNOHANG) == pid_) {
        exitCode_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    return exitCode_;
}

}  // namespace concertina::gui
