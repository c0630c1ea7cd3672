// SPDX-License-Identifier: Apache-2.0
// Kernels as ratios to a memory copy of the same size, measured in the same run, in turns (targets:
// design.md 8). Prints one line per operation: median ratio, lowest and highest. One thread. For
// the programs of tests/bench.
#pragma once
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <vector>

#include "tests/bench/measure.h"

namespace concertina::kernels {

constexpr std::int64_t kCount = 11173962;  // ResNet-18 for CIFAR-10
constexpr int kRepetitions = 11;

using bench::secondsOf;

/// Runs copy and body in turns and reports the body's times as ratios to the copies'.
inline void compareWithCopy(benchmark::State& state, const std::function<void()>& body) {
    std::vector<float> from(kCount, 1);
    std::vector<float> to(kCount, 2);
    body();
    for (auto _ : state) {
        std::vector<double> ratios;
        double copySeconds = 0;
        for (int i = 0; i < kRepetitions; ++i) {
            const double copy =
                secondsOf([&] { std::memcpy(to.data(), from.data(), kCount * sizeof(float)); });
            benchmark::DoNotOptimize(to.data());
            copySeconds += copy / kRepetitions;
            ratios.push_back(secondsOf(body) / copy);
        }
        std::sort(ratios.begin(), ratios.end());
        state.counters["copies"] = ratios[kRepetitions / 2];
        state.counters["lowest"] = ratios.front();
        state.counters["highest"] = ratios.back();
        state.counters["copy_ms"] = copySeconds * 1e3;
    }
}

}  // namespace concertina::kernels
