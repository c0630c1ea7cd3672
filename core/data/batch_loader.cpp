// SPDX-License-Identifier: Apache-2.0
#include "core/data/batch_loader.h"

#include <utility>

#include "core/base/check.h"

namespace concertina {

BatchLoader::BatchLoader(Load load, std::int64_t first, std::int64_t end, int threads)
    : load_(std::move(load)),
      end_(end),
      mostAhead_(2 * std::int64_t{threads}),
      taken_(first),
      claimed_(first) {
    for (int i = 0; i < threads; ++i) {
        threads_.emplace_back([this] { work(); });
    }
}

BatchLoader::~BatchLoader() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    room_.notify_all();
    for (std::thread& thread : threads_) {
        thread.join();
    }
}

Batch BatchLoader::next() {
    CONCERTINA_CHECK(taken_ < end_, "no batch after the last");
    if (threads_.empty()) {
        return load_(taken_++);
    }
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [this] { return ready_.contains(taken_); });
    std::future<Batch> batch = std::move(ready_.extract(taken_).mapped());
    ++taken_;
    lock.unlock();
    room_.notify_all();
    return batch.get();
}

void BatchLoader::work() {
    std::unique_lock lock(mutex_);
    while (true) {
        room_.wait(lock, [this] { return stopping_ || mayClaim(); });
        if (stopping_) {
            return;
        }
        const std::int64_t step = claimed_++;
        lock.unlock();
        std::packaged_task<Batch()> task([this, step] { return load_(step); });
        std::future<Batch> batch = task.get_future();
        task();  // keeps what it throws
        lock.lock();
        ready_.emplace(step, std::move(batch));
        filled_.notify_one();
    }
}

}  // namespace concertina
