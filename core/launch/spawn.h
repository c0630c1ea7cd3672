// SPDX-License-Identifier: Apache-2.0
// Starts a child process that dies with the thread that started it. Used by RankGroup for ranks and
// by the engine probe. Call it from a thread that lives as long as the child should.
#pragma once
#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

namespace concertina {

struct SpawnRequest {
    std::vector<std::string> arguments;                              // [0] is the program's path
    std::vector<std::pair<std::string, std::string>> environment{};  // added to this process's own
    int outputFd = -1;                                               // becomes stdout and stderr
    int keepFd = -1;  // the one further descriptor the child inherits, -1 for none
};

/// The child leads its own process group, reads from /dev/null, gets SIGKILL when the calling
/// thread ends, and ignores SIGPIPE, so that a peer's death is an error it can report. Throws
/// Error(Machine) when the program cannot be started.
pid_t spawnProcess(const SpawnRequest& request);

/// What happened to a child, without waiting: nothing yet, or how it ended. Its process group is
/// killed before it is reaped, so grandchildren go with it.
struct ProcessEnd {
    bool bySignal = false;
    int code = 0;  // exit code or signal number
};
/// True and `end` filled once the child has ended; it is reaped by that. REQUIRES: `pid` from
/// spawnProcess, not reaped.
bool reap(pid_t pid, ProcessEnd& end);

}  // namespace concertina
