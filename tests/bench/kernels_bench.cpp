// SPDX-License-Identifier: Apache-2.0
// The kernels of the first compressors as ratios to a memory copy (copy_ratio.h).
#include <benchmark/benchmark.h>

#include <vector>

#include "kernels/accumulate.h"
#include "kernels/powersgd.h"
#include "tests/bench/copy_ratio.h"
#include "tests/kernels/inputs.h"

namespace concertina::kernels {
namespace {

/// Gradient, error memory and their sum, as the pipeline keeps them.
struct Buffers {
    std::vector<float> gradient = normalNumbers(kCount, 1), memory = normalNumbers(kCount, 2);
    std::vector<float> epochSum = std::vector<float>(kCount), next = std::vector<float>(kCount);

    AccumulateBuffers part(std::int64_t first, std::int64_t count, bool withSum) {
        return {&gradient[first], &memory[first], withSum ? &epochSum[first] : nullptr,
                &next[first], count};
    }
};

void accumulateWithEpochSum(benchmark::State& state) {
    Buffers b;
    Norms norms;
    compareWithCopy(state, [&] { (void)accumulate(b.part(0, kCount, true), norms, {}); });
}

std::vector<MatrixShape> resnet18(std::int64_t rank) {
    std::vector<MatrixShape> shapes{{64, 27, rank}, {10, 512, rank}};
    shapes.insert(shapes.end(), 4, {64, 576, rank});
    for (const std::int64_t width : {128, 256, 512}) {
        shapes.push_back({width, width / 2 * 9, rank});
        shapes.push_back({width, width / 2, rank});
        shapes.insert(shapes.end(), 3, {width, width * 9, rank});
    }
    return shapes;
}

void powersgdBothPhases(benchmark::State& state) {
    Buffers b;
    std::vector<float> output(kCount);
    std::vector<float> p(512 * state.range(0));
    const auto query = normalNumbers(4608 * state.range(0), 3);
    std::vector<float> q(query.size());
    Norms norms;
    const auto shapes = resnet18(state.range(0));
    compareWithCopy(state, [&] {
        std::int64_t at = 0;
        for (const MatrixShape& s : shapes) {
            float* matrix = &b.next[at];
            (void)accumulate(b.part(at, s.rows * s.columns, false), norms, {});
            (void)multiply(matrix, query.data(), s, p.data(), {});
            (void)orthogonalise(p.data(), s.rows, s.rank, {});
            (void)multiplyTransposed(matrix, p.data(), s, q.data(), {});
            (void)reconstruct(p.data(), q.data(), s, matrix, &output[at], {});
            at += s.rows * s.columns;
        }
    });
}

BENCHMARK(accumulateWithEpochSum)->Iterations(1);
BENCHMARK(powersgdBothPhases)->ArgName("rank")->Arg(2)->Arg(1)->Arg(4)->Arg(32)->Iterations(1);

}  // namespace
}  // namespace concertina::kernels

BENCHMARK_MAIN();
