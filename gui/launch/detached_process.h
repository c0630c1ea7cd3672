// SPDX-License-Identifier: GPL-3.0-or-later
// DetachedProcess: a program in a session of its own, its output in a file, that outlives this one.
// Not QProcess: that ends its child with itself, and its detached form cannot tell the exit code.
// Used by the launch thread.
#pragma once
#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace concertina::gui {

class DetachedProcess {
 public:
    /// Starts argv[0] (a path) with standard input from nowhere and both outputs appended to `log`,
    /// whose folder must exist. Throws Error(Machine) naming the program when it cannot be started.
    static DetachedProcess start(const std::vector<std::string>& argv,
                                 const std::filesystem::path& log);
    /// The exit code once it has ended (128 + signal if a signal ended it). Never waits.
    std::optional<int> exitCode();
    pid_t pid() const { return pid_; }

 private:
    explicit DetachedProcess(pid_t pid) : pid_(pid) {}
    pid_t pid_;
    std::optional<int> exitCode_;
};

}  // namespace concertina::gui
