// SPDX-License-Identifier: Apache-2.0
#include "core/store/recorder.h"

#include <sys/stat.h>

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <iterator>
#include <mutex>
#include <thread>
#include <utility>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/store/writer.h"

namespace concertina {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kFirstBackOff{50};

bool holdsWhatMustNotBeLost(const PointBatch& batch) {
    return !batch.layers.empty() || !batch.epochs.empty() || !batch.layerEpochs.empty() ||
           !batch.decisions.empty() || !batch.events.empty() || batch.finish.has_value();
}

bool isEmpty(const PointBatch& batch) {
    return !holdsWhatMustNotBeLost(batch) && batch.steps.empty() && batch.droppedSteps == 0;
}

template <typename T>
void append(std::vector<T>& to, std::vector<T> from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

/// Tells a store from another one that took its place under the same name.
struct FileIdentity {
    dev_t device = 0;
    ino_t inode = 0;
    bool operator==(const FileIdentity&) const = default;
};

FileIdentity identityOf(const std::filesystem::path& file) {
    struct stat info {};
    if (::stat(file.c_str(), &info) != 0) {
        throw Error(ErrorKind::Store, "run store " + file.string() + " is gone");
    }
    return {info.st_dev, info.st_ino};
}

EventRow retryEvent(Clock::duration outage, const std::string& why, std::int64_t dropped) {
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%.1f", std::chrono::duration<double>(outage).count());
    EventRow event;
    event.timeMs = unixNowMs();
    event.rank = 0;
    event.kind = "store-retry";
    event.message = std::string("nothing could be written for ") + seconds + " s (" + why + "); " +
                    std::to_string(dropped) + " step points were dropped so far, all else was kept";
    return event;
}

}  // namespace

/// The caller's side only appends to `pending` under the lock. The thread takes all of it as
/// `batch` and tries to write that until it is written or given up; so nothing is ever written
/// twice or out of order.
struct Recorder::Impl {
    Impl(std::filesystem::path store, std::string run, RecorderOptions settings)
        : file(std::move(store)), runId(std::move(run)), options(settings) {}

    const std::filesystem::path file;
    const std::string runId;
    const RecorderOptions options;

    mutable std::mutex mutex;
    std::condition_variable wake;
    PointBatch pending;
    std::size_t batchSteps = 0;  // of the batch being written: they count against maxQueuedSteps
    std::int64_t dropped = 0;
    bool flushing = false;  // somebody waits in flush()
    bool writing = false;   // `batch` is not in the store yet
    std::condition_variable allWritten;
    std::optional<Clock::time_point> deadline;  // set by close()

    // The thread's own.
    std::unique_ptr<RunWriter> writer;
    FileIdentity written;  // the file that `writer` opened
    PointBatch batch;
    std::string lastError;
    bool lostSomething = false;

    std::thread thread;

    template <typename Add>
    void queue(Add add) {
        const std::lock_guard lock(mutex);
        CONCERTINA_CHECK(!deadline, "a recorder was used after close()");
        add(pending);
    }

    void work();
    bool takeBatch();
    void writeBatch();
    bool tryToWrite();
    bool waitToRetry(std::chrono::milliseconds backOff);
    void giveUpBatch();
};

void Recorder::Impl::work() {
    while (takeBatch()) {
        writeBatch();
    }
    writer.reset();
}

/// Waits for rows; false when closed and nothing is left. Looks once per interval instead of being
/// woken by each row: a wake-up per step would cost the training thread more than the row itself.
bool Recorder::Impl::takeBatch() {
    std::unique_lock lock(mutex);
    writing = false;
    allWritten.notify_all();
    const auto hurried = [&] { return deadline.has_value() || (flushing && !isEmpty(pending)); };
    while (!wake.wait_for(lock, options.batchInterval, hurried) && isEmpty(pending)) {
    }
    batch = std::exchange(pending, {});
    writing = true;
    batchSteps = batch.steps.size();
    return !isEmpty(batch);
}

void Recorder::Impl::writeBatch() {
    const auto begin = Clock::now();
    bool failed = false;
    auto backOff = kFirstBackOff;
    while (!tryToWrite()) {
        failed = true;
        if (!waitToRetry(backOff)) {
            giveUpBatch();
            return;
        }
        backOff = std::min(2 * backOff, options.longestBackOff);
    }
    const std::lock_guard lock(mutex);
    batchSteps = 0;
    if (failed) {
        pending.events.push_back(retryEvent(Clock::now() - begin, lastError, dropped));
    }
}

bool Recorder::Impl::tryToWrite() {
    try {
        // Without this look SQLite would go on writing to a deleted file, and nobody would know.
        const FileIdentity present = identityOf(file);
        if (!writer || !(present == written)) {
            writer = std::make_unique<RunWriter>(file, options.busyTimeout);
            written = present;
        }
        writer->addPoints(runId, batch);
        return true;
    } catch (const std::exception& error) {
        lastError = error.what();
        writer
            .reset();  // a connection that saw a full disk or a vanished file is not trusted again
        return false;
    }
}

/// False once close()'s patience is over. A close() during the wait ends it: its patience counts
/// from the next try.
bool Recorder::Impl::waitToRetry(std::chrono::milliseconds backOff) {
    std::unique_lock lock(mutex);
    if (deadline) {
        const auto rest = *deadline - Clock::now();
        if (rest <= Clock::duration::zero()) {
            return false;
        }
        const auto pause = std::min<Clock::duration>(backOff, rest);
        lock.unlock();
        std::this_thread::sleep_for(pause);
        return true;
    }
    wake.wait_for(lock, backOff, [&] { return deadline.has_value(); });
    return true;
}

void Recorder::Impl::giveUpBatch() {
    const std::lock_guard lock(mutex);
    lostSomething =
        lostSomething || holdsWhatMustNotBeLost(batch) || holdsWhatMustNotBeLost(pending);
    dropped += static_cast<std::int64_t>(batch.steps.size() + pending.steps.size());
    batchSteps = 0;
    pending = {};
}

Recorder::Recorder(const std::filesystem::path& store, std::string runId, RecorderOptions options)
    : impl_(new Impl(store, std::move(runId), options)) {
    impl_->thread = std::thread([impl = impl_.get()] { impl->work(); });
}

Recorder::~Recorder() {
    try {
        close(std::chrono::seconds(5));
    } catch (const std::exception&) {
        // Nobody is left to tell; a caller who wants to know calls close().
    }
}

void Recorder::layers(std::vector<LayerRow> rows) {
    impl_->queue([&](PointBatch& pending) { append(pending.layers, std::move(rows)); });
}

void Recorder::step(const StepRow& row) {
    impl_->queue([&](PointBatch& pending) {
        if (pending.steps.size() + impl_->batchSteps < impl_->options.maxQueuedSteps) {
            pending.steps.push_back(row);
        } else {
            ++pending.droppedSteps;
            ++impl_->dropped;
        }
    });
}

void Recorder::epoch(EpochRow row, std::vector<LayerEpochRow> layers) {
    impl_->queue([&](PointBatch& pending) {
        pending.epochs.push_back(std::move(row));
        append(pending.layerEpochs, std::move(layers));
    });
}

void Recorder::decisions(std::vector<Decision> rows) {
    impl_->queue([&](PointBatch& pending) { append(pending.decisions, std::move(rows)); });
}

void Recorder::event(EventRow row) {
    impl_->queue([&](PointBatch& pending) { pending.events.push_back(std::move(row)); });
}

void Recorder::finish(FinishRow row) {
    impl_->queue([&](PointBatch& pending) { pending.finish = std::move(row); });
}

void Recorder::close(std::chrono::milliseconds patience) {
    {
        const std::lock_guard lock(impl_->mutex);
        if (impl_->deadline) {
            return;
        }
        impl_->deadline = Clock::now() + patience;
    }
    impl_->wake.notify_all();
    impl_->thread.join();
    if (impl_->lostSomething) {
        throw Error(ErrorKind::Store,
                    "the run's last rows could not be written: " + impl_->lastError);
    }
}

bool Recorder::flush(std::chrono::milliseconds patience) {
    std::unique_lock lock(impl_->mutex);
    impl_->flushing = true;
    impl_->wake.notify_all();
    const bool done = impl_->allWritten.wait_for(
        lock, patience, [&] { return !impl_->writing && isEmpty(impl_->pending); });
    impl_->flushing = false;
    return done;
}

std::int64_t Recorder::droppedSteps() const {
    const std::lock_guard lock(impl_->mutex);
    return impl_->dropped;
}

}  // namespace concertina
