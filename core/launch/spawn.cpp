// SPDX-License-Identifier: Apache-2.0
#include "core/launch/spawn.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/base/check.h"
#include "core/base/error.h"

extern char** environ;

namespace concertina {
namespace {

std::vector<std::string> environmentWith(
    const std::vector<std::pair<std::string, std::string>>& added) {
    std::vector<std::string> lines;
    for (char** line = environ; *line != nullptr; ++line) {
        const std::string text = *line;
        const std::string name = text.substr(0, text.find('='));
        bool replaced = false;
        for (const auto& entry : added) {
            replaced = replaced || entry.first == name;
        }
        if (!replaced) {
            lines.push_back(text);
        }
    }
    for (const auto& [name, value] : added) {
        lines.push_back(name);
        lines.back().append("=").append(value);
    }
    return lines;
}

std::vector<char*> pointersTo(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    pointers.reserve(texts.size() + 1);
    for (std::string& text : texts) {
        pointers.push_back(text.data());
    }
    pointers.push_back(nullptr);
    return pointers;
}

/// Between fork and exec only async-signal-safe calls are allowed. Does not return; an errno goes
/// into `reportFd`.
[[noreturn]] void becomeChild(
    char** arguments, char** environment, const SpawnRequest& request, pid_t parent, int reportFd) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) {  // it died before prctl took effect
        ::_exit(127);
    }
    ::setpgid(0, 0);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::signal(SIGINT, SIG_DFL);
    ::signal(SIGTERM, SIG_DFL);
    ::signal(SIGPIPE, SIG_IGN);
    const int nothing = ::open("/dev/null", O_RDONLY);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(request.outputFd, STDOUT_FILENO);
    ::dup2(request.outputFd, STDERR_FILENO);
    ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
    if (request.keepFd >= 0) {
        ::fcntl(request.keepFd, F_SETFD, 0);
    }
    ::execve(arguments[0], arguments, environment);
    const int why = errno;
    [[maybe_unused]] const auto written = ::write(reportFd, &why, sizeof why);
    ::_exit(127);
}

}  // namespace

pid_t spawnProcess(const SpawnRequest& request) {
    CONCERTINA_CHECK(!request.arguments.empty() && request.outputFd >= 0, "nothing to spawn");
    std::vector<std::string> arguments = request.arguments;
    std::vector<std::string> environment = environmentWith(request.environment);
    const std::vector<char*> argumentPointers = pointersTo(arguments);
    const std::vector<char*> environmentPointers = pointersTo(environment);
    // The write end closes at a successful exec, so the read below ends at once in either case.
    int report[2];
    if (::pipe2(report, O_CLOEXEC) != 0) {
        throw Error(ErrorKind::Machine, std::string("cannot make a pipe: ") + std::strerror(errno));
    }
    const pid_t parent = ::getpid();
    const pid_t pid = ::fork();
    if (pid == 0) {
        becomeChild(const_cast<char**>(argumentPointers.data()),
                    const_cast<char**>(environmentPointers.data()), request, parent, report[1]);
    }
    int why = pid < 0 ? errno : 0;
    ::close(report[1]);
    if (pid > 0) {
        while (::read(report[0], &why, sizeof why) < 0 && errno == EINTR) {
        }
        if (why != 0) {
            ::waitpid(pid, nullptr, 0);
        }
    }
    ::close(report[0]);
    if (why != 0) {
        throw Error(ErrorKind::Machine, "cannot start " + arguments[0] + ": " + std::strerror(why));
    }
    return pid;
}

bool reap(pid_t pid, ProcessEnd& end) {
    siginfo_t info{};
    // WNOWAIT leaves the zombie, so that its group id cannot have been reused when the group is
    // killed.
    if (::waitid(P_PID, pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0) {
        CONCERTINA_CHECK(errno == EINTR, "not a child of ours");
        return false;
    }
    if (info.si_pid != pid) {
        return false;
    }
    ::kill(-pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    end.bySignal = info.si_code != CLD_EXITED;
    end.code = info.si_status;
    return true;
}

}  // namespace concertina
