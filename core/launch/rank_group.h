// SPDX-License-Identifier: Apache-2.0
// RankGroup: the rank processes of one attempt of one run. Spawns them, notices how each ended,
// kills what is left. Used by the supervisor on its own thread. Whatever happens, the destructor
// leaves no process behind.
#pragma once
#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "core/launch/spawn.h"

namespace concertina {

struct RankExit {
    int rank;
    ProcessEnd end;
    bool failed() const { return end.bySignal || end.code != 0; }
};

class RankGroup {
 public:
    RankGroup() = default;
    ~RankGroup() { killAll(); }
    RankGroup(const RankGroup&) = delete;
    RankGroup& operator=(const RankGroup&) = delete;

    /// Starts the next rank, its output going to `log` (replaced). Throws Error(Machine).
    void spawn(SpawnRequest request, const std::filesystem::path& log);
    /// Ranks that ended since the last call, in rank order.
    std::vector<RankExit> collect();
    /// Waits until every rank ended by itself, at most `patience`.
    void awaitEnd(std::chrono::milliseconds patience);
    /// SIGKILL to every rank that lives (SIGTERM would leave a stopped one), and waits for their
    /// end.
    void killAll();

    bool isAlive(int rank) const { return ranks_[rank].pid != 0; }
    bool anyAlive() const;
    /// State letter of /proc/PID/stat: 'R' runs, 'S' sleeps, 'T' is stopped; 0 for none.
    char stateOf(int rank) const;
    /// The last non-empty lines of the rank's log, joined by " | ", without control characters; ""
    /// if it said nothing.
    std::string lastWords(int rank) const;

 private:
    struct Rank {
        pid_t pid;  // 0 once it has ended
        std::filesystem::path log;
    };
    std::vector<Rank> ranks_;
};

}  // namespace concertina
