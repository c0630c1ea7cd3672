// SPDX-License-Identifier: Apache-2.0
// Signs, halves and random positions as ratios to a memory copy (copy_ratio.h). Each encode
// includes adding error memory (kernels::accumulate) and what is left of each element; each decode
// is the mean of two ranks.
#include <benchmark/benchmark.h>

#include <vector>

#include "kernels/accumulate.h"
#include "kernels/half.h"
#include "kernels/onebit.h"
#include "kernels/randomk.h"
#include "kernels/signs.h"
#include "tests/bench/copy_ratio.h"
#include "tests/kernels/inputs.h"

namespace concertina::kernels {
namespace {

constexpr int kRanks = 2;

/// Gradient, error memory, their sum, and a message of any kind.
struct Buffers {
    std::vector<float> gradient = normalNumbers(kCount, 1), memory = normalNumbers(kCount, 2);
    std::vector<float> next = std::vector<float>(kCount), message = std::vector<float>(kCount);
    Norms norms;

    void add() {
        (void)accumulate({gradient.data(), memory.data(), nullptr, next.data(), kCount}, norms, {});
    }
    SignMessages messages() const { return {message.data(), 0, kRanks}; }
};

void signEncode(benchmark::State& state) {
    Buffers b;
    compareWithCopy(state, [&] {
        b.add();
        const auto scale = static_cast<float>(b.norms.magnitudes / kCount);
        (void)packSigns(b.next.data(), kCount, scale, b.message.data(), {});
    });
}

void signPackAlone(benchmark::State& state) {
    Buffers b;
    b.add();
    compareWithCopy(state,
                    [&] { (void)packSigns(b.next.data(), kCount, 0.5F, b.message.data(), {}); });
}

void signDecode(benchmark::State& state) {
    Buffers b;
    b.add();
    (void)packSigns(b.next.data(), kCount, 0.5F, b.message.data(), {});
    const auto rule = static_cast<SignRule>(state.range(0));
    compareWithCopy(state,
                    [&] { (void)combineSigns(b.messages(), rule, b.next.data(), kCount, {}); });
}

/// As many elements as rows of `columns` make.
RowShape rowsOf(std::int64_t columns) { return {kCount / columns, columns}; }

void onebitEncode(benchmark::State& state) {
    Buffers b;
    const RowShape shape = rowsOf(state.range(0));
    compareWithCopy(state, [&] {
        b.add();
        (void)packOnebit(b.next.data(), shape, b.message.data(), {});
    });
}

void onebitDecode(benchmark::State& state) {
    Buffers b;
    const RowShape shape = rowsOf(state.range(0));
    b.add();
    (void)packOnebit(b.next.data(), shape, b.message.data(), {});
    compareWithCopy(state, [&] { (void)meanOfOnebit(b.messages(), shape, b.next.data(), {}); });
}

void halfEncode(benchmark::State& state) {
    Buffers b;
    const auto type = static_cast<HalfType>(state.range(0));
    auto* halves = reinterpret_cast<std::uint16_t*>(b.message.data());
    compareWithCopy(state, [&] {
        b.add();
        (void)narrow(b.next.data(), kCount, type, kRanks, halves, {});
    });
}

void halfDecode(benchmark::State& state) {
    Buffers b;
    const auto type = static_cast<HalfType>(state.range(0));
    const auto* halves = reinterpret_cast<const std::uint16_t*>(b.message.data());
    compareWithCopy(state, [&] { (void)widen(halves, kCount, type, b.next.data(), {}); });
}

RandomPositions oneIn(std::int64_t share, bool block) {
    return {kCount, static_cast<std::uint64_t>(kCount / share), block, {{{1, 2}}, {3, 4, 5}}};
}

void randomkEncode(benchmark::State& state) {
    Buffers b;
    const RandomPositions positions = oneIn(state.range(0), state.range(1) != 0);
    compareWithCopy(state, [&] {
        b.add();
        (void)takeRandom(b.next.data(), positions, 1, b.message.data(), {});
    });
}

void randomkDecode(benchmark::State& state) {
    Buffers b;
    const RandomPositions positions = oneIn(state.range(0), state.range(1) != 0);
    compareWithCopy(
        state, [&] { (void)putRandom(b.message.data(), positions, kRanks, b.next.data(), {}); });
}

BENCHMARK(signEncode)->Iterations(1);
BENCHMARK(signPackAlone)->Iterations(1);
BENCHMARK(signDecode)->ArgName("vote")->Arg(0)->Arg(1)->Iterations(1);
BENCHMARK(onebitEncode)->ArgName("columns")->Arg(576)->Arg(27)->Iterations(1);
BENCHMARK(onebitDecode)->ArgName("columns")->Arg(576)->Arg(27)->Iterations(1);
BENCHMARK(halfEncode)->ArgName("bf16")->Arg(0)->Arg(1)->Iterations(1);
BENCHMARK(halfDecode)->ArgName("bf16")->Arg(0)->Arg(1)->Iterations(1);
BENCHMARK(randomkEncode)
    ->ArgNames({"one_in", "block"})
    ->Args({100, 0})
    ->Args({10, 0})
    ->Args({10, 1})
    ->Iterations(1);
BENCHMARK(randomkDecode)
    ->ArgNames({"one_in", "block"})
    ->Args({100, 0})
    ->Args({10, 0})
    ->Args({10, 1})
    ->Iterations(1);

}  // namespace
}  // namespace concertina::kernels

BENCHMARK_MAIN();
