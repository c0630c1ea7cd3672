// SPDX-License-Identifier: Apache-2.0
// How the benches measure: of this thread's processor time, as multiples of a memory copy that is
// made in turns with what is measured. One thread.
#pragma once
#include <algorithm>
#include <cstdint>
#include <ctime>
#include <functional>
#include <utility>
#include <vector>

namespace concertina::bench {

/// What other programs take of the machine is not the body's.
inline double secondsOf(const std::function<void()>& body) {
    const auto now = [] {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
    };
    const double start = now();
    body();
    return now() - start;
}

struct Spread {
    double lowest, median, highest;
};

/// REQUIRES: not empty.
inline Spread spreadOf(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return {values.front(), values[values.size() / 2], values.back()};
}

/// The matrices of ResNet-18 for CIFAR-10, as (rows, columns): 11,164,352 floats.
inline std::vector<std::pair<std::int64_t, std::int64_t>> resnet18Matrices() {
    std::vector<std::pair<std::int64_t, std::int64_t>> shapes{{64, 27}, {10, 512}};
    shapes.insert(shapes.end(), 4, {64, 576});
    for (const std::int64_t width : {128, 256, 512}) {
        shapes.emplace_back(width, width / 2 * 9);
        shapes.emplace_back(width, width / 2);
        shapes.insert(shapes.end(), 3, {width, width * 9});
    }
    return shapes;
}

}  // namespace concertina::bench
