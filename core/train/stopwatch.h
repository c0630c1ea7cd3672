// SPDX-License-Identifier: Apache-2.0
// Stopwatch: monotonic seconds of training only; stopped while a run evaluates or is paused, so
// that the time axis has no pauses and never runs backwards when the clock is set.
#pragma once
#include <chrono>

namespace concertina {

class Stopwatch {
 public:
    void start() {
        if (!running_) {
            running_ = true;
            since_ = Clock::now();
        }
    }
    /// Goes on from a checkpoint's time. REQUIRES: stopped.
    void restore(double seconds) { total_ = std::chrono::duration<double>(seconds); }
    void stop() {
        total_ = elapsed();
        running_ = false;
    }
    std::chrono::duration<double> elapsed() const {
        using Seconds = std::chrono::duration<double>;
        return running_ ? total_ + Seconds(Clock::now() - since_) : total_;
    }
    double seconds() const { return elapsed().count(); }

 private:
    using Clock = std::chrono::steady_clock;
    std::chrono::duration<double> total_{0};
    Clock::time_point since_{};
    bool running_ = false;
};

}  // namespace concertina
