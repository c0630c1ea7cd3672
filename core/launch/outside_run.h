// SPDX-License-Identifier: Apache-2.0
// OutsideRun: what the supervisor does for a run, where an outside launcher started the ranks: rank
// 0 owns the row. Keeps heartbeat and status on a thread of its own and passes `concertina ctl` and
// interrupts on to the ranks. Made by concertina-rank on its main thread.
#pragma once
#include <condition_variable>
#include <mutex>
#include <thread>

#include "core/launch/rank_board.h"
#include "core/launch/run_keeper.h"
#include "core/launch/supervisor.h"

namespace concertina {

class OutsideRun {
 public:
    /// Creates the row. `resolved` is the request's spec with device and backend as they are.
    /// Throws Error(Store), Error(Usage). `board` outlives this.
    OutsideRun(const RunRequest& request, const RunSpec& resolved, RankBoard& board);
    ~OutsideRun();

    const RunRow& row() const { return row_; }
    /// The final status. Throws Error(Store) when it could not be written.
    void finish(RunStatus status, const std::string& reason, int exitCode);

 private:
    void serve();
    void obey(const std::string& verb);
    void stopServing();

    RankBoard& board_;
    RunRow row_;
    std::chrono::milliseconds patience_;
    RunKeeper keeper_;  // the thread's until it has ended
    std::mutex mutex_;
    std::condition_variable wake_;
    bool ending_ = false;
    std::thread thread_;
};

}  // namespace concertina
