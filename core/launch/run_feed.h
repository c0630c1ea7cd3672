// SPDX-License-Identifier: Apache-2.0
// RunFeed: tells an observer what rank 0 has recorded since the last poll. Used by the supervisor
// on its own thread.
#pragma once
#include <filesystem>
#include <string>

#include "core/launch/supervisor.h"
#include "core/store/reader.h"

namespace concertina {

class RunFeed {
 public:
    RunFeed(const std::filesystem::path& store, std::string runId, const RunObserver& observer);
    /// What is there already is no news: a run that goes on.
    void skipPresent();
    /// Reads and reports new rows. A store that cannot be read now is read at the next poll.
    void poll();

 private:
    void reportNew();

    RunReader reader_;
    std::string id_;
    const RunObserver& observer_;
    std::int64_t version_ = -1;
    int nextEpoch_ = 0;
    int nextDecisionEpoch_ = 0;  // the decisions of one epoch are written in one transaction
    std::size_t eventsSeen_ = 0;
};

}  // namespace concertina
