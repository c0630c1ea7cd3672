// SPDX-License-Identifier: Apache-2.0
// BatchLoader: threads of a rank that prepare the batches of an epoch ahead of the training loop. A
// batch is the same whoever prepares it and whenever, so their number changes no result. One thread
// calls next().
#pragma once
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "core/data/dataset.h"

namespace concertina {

class BatchLoader {
 public:
    using Load = std::function<Batch(std::int64_t step)>;

    /// Prepares load(first) to load(end - 1), at most two for each thread ahead. `load` is called
    /// from all threads at once. Without threads next() calls it.
    BatchLoader(Load load, std::int64_t first, std::int64_t end, int threads);
    /// Ends the threads, after the batches in their hands.
    ~BatchLoader();

    /// The batch of the next step, in order. Throws what `load` threw for it. REQUIRES: there is
    /// one.
    Batch next();

 private:
    void work();
    bool mayClaim() const { return claimed_ < end_ && claimed_ < taken_ + mostAhead_; }

    Load load_;
    std::int64_t end_, mostAhead_;
    std::int64_t taken_, claimed_;  // steps handed out, steps somebody prepares or has prepared
    std::map<std::int64_t, std::future<Batch>> ready_;
    bool stopping_ = false;
    std::mutex mutex_;
    std::condition_variable room_, filled_;
    std::vector<std::thread> threads_;
};

}  // namespace concertina
