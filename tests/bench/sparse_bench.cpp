// SPDX-License-Identifier: Apache-2.0
// The kernels of the sparse compressors as ratios to a memory copy (copy_ratio.h). Every encode
// includes the pass that adds the error memory and leaves the residual; every decode adds up the
// lists of two ranks.
#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include "kernels/accumulate.h"
#include "kernels/adacomp.h"
#include "kernels/elias_fano.h"
#include "kernels/half.h"
#include "kernels/select.h"
#include "kernels/sparse_lists.h"
#include "kernels/topk.h"
#include "kernels/variance.h"
#include "tests/bench/copy_ratio.h"
#include "tests/kernels/inputs.h"

namespace concertina::kernels {
namespace {

/// Gradient, error memory and their sum; `message` has room for all values.
struct Buffers {
    std::vector<float> gradient = normalNumbers(kCount, 1), memory = normalNumbers(kCount, 2);
    std::vector<float> next = std::vector<float>(kCount), message = std::vector<float>(kCount);
    std::int64_t writtenBytes = 0;
    Norms norms;

    void feed() {
        (void)accumulate({gradient.data(), memory.data(), nullptr, next.data(), kCount}, norms, {});
    }
    double rms() const { return std::sqrt(norms.squares / static_cast<double>(kCount)); }
};

/// A list as selectTopk writes it, and its message in the smallest form.
struct TopkBuffers {
    explicit TopkBuffers(std::int64_t count)
        : kept(count),
          form(eliasFanoOf(count, kCount)),
          list(2 * count),
          packed(form.bytes() / 4),
          halves(count) {}

    std::int64_t kept;
    EliasFano form;
    std::vector<std::int32_t> list;
    std::vector<std::uint32_t> packed;
    std::vector<std::uint16_t> halves;

    float* values() { return reinterpret_cast<float*>(&list[kept]); }
    SparseList sparse() const { return {list.data(), kept}; }
};

void select(Buffers& b, TopkBuffers& t) {
    b.feed();
    (void)selectTopk(b.next.data(), kCount, t.kept, t.list.data(), t.values(), {});
    (void)packIndices(t.list.data(), t.form, t.packed.data(), {});
}

void topkEncode(benchmark::State& state) {
    Buffers b;
    TopkBuffers t(kCount / state.range(0));
    compareWithCopy(state, [&] { select(b, t); });
}

void topkEncodeHalves(benchmark::State& state) {
    Buffers b;
    TopkBuffers t(kCount / state.range(0));
    compareWithCopy(state, [&] {
        select(b, t);
        (void)narrow(t.values(), t.kept, HalfType::Fp16, 1, t.halves.data(), {});
        (void)placeListed(t.sparse(), b.next.data(), {});
    });
}

void topkEncodeModel(benchmark::State& state) {
    Buffers b;
    const std::int64_t wanted = kCount / state.range(0);
    compareWithCopy(state, [&] {
        b.feed();
        const MagnitudePart all{b.next.data(), kCount};
        float least = 0;
        (void)findMagnitude(&all, 1, wanted, least, {});
        (void)selectAbove(b.next.data(), kCount, least, b.message.data(), b.writtenBytes, {});
    });
}

void topkDecode(benchmark::State& state) {
    Buffers b;
    TopkBuffers t(kCount / state.range(0));
    select(b, t);
    compareWithCopy(state, [&] {
        for (int rank = 0; rank < 2; ++rank) {
            (void)unpackIndices(t.packed.data(), t.form, rank, t.list.data(), {});
        }
        const SparseList lists[] = {t.sparse(), t.sparse()};
        (void)scatterMean(lists, 2, b.next.data(), kCount, {});
    });
}

/// Argument: tenths of the rms.
void thresholdEncode(benchmark::State& state) {
    Buffers b;
    compareWithCopy(state, [&] {
        b.feed();
        const auto least = static_cast<float>(b.rms() * static_cast<double>(state.range(0)) / 10);
        (void)selectAbove(b.next.data(), kCount, least, b.message.data(), b.writtenBytes, {});
    });
    state.counters["sent"] = static_cast<double>(b.writtenBytes) / 8 / kCount;
}

void decodeMessages(benchmark::State& state) {
    Buffers b;
    b.feed();
    const auto least = static_cast<float>(b.rms() * static_cast<double>(state.range(0)) / 10);
    (void)selectAbove(b.next.data(), kCount, least, b.message.data(), b.writtenBytes, {});
    compareWithCopy(state, [&] {
        SparseList lists[2];
        for (int rank = 0; rank < 2; ++rank) {
            (void)readSparseMessage(b.message.data(), b.writtenBytes, kCount, rank, lists[rank]);
        }
        (void)scatterMean(lists, 2, b.next.data(), kCount, {});
    });
    state.counters["sent"] = static_cast<double>(b.writtenBytes) / 8 / kCount;
}

void adacompEncode(benchmark::State& state) {
    Buffers b;
    compareWithCopy(state, [&] {
        b.feed();
        (void)selectAdacomp({b.next.data(), b.gradient.data(), kCount, state.range(0)},
                            b.message.data(), b.writtenBytes, {});
    });
    state.counters["sent"] = static_cast<double>(b.writtenBytes) / 8 / kCount;
}

void varianceEncode(benchmark::State& state) {
    Buffers b;
    std::vector<float> spread(kCount, 3);
    const auto alpha = static_cast<float>(state.range(0));
    compareWithCopy(state, [&] {
        b.feed();
        (void)selectVariance(
            {b.next.data(), b.gradient.data(), spread.data(), kCount, alpha, 0.999F},
            b.message.data(), b.writtenBytes, {});
    });
    state.counters["sent"] = static_cast<double>(b.writtenBytes) / 8 / kCount;
}

/// With `counts` counts, of which one is usual and ten the most.
void dgcEncode(benchmark::State& state) {
    Buffers b;
    const std::int64_t samples = kCount / 100;
    std::vector<float> sample(samples), momentum(kCount, 1);
    compareWithCopy(state, [&] {
        b.feed();
        (void)sampleOneIn(b.next.data(), 100, samples, {{{1, 2}}, {3, 4, 5}}, sample.data(), {});
        const MagnitudePart part{sample.data(), samples};
        float least = 0;
        (void)findMagnitude(&part, 1, samples / state.range(0), least, {});
        std::int64_t found = 0;
        for (int i = 0; i < state.range(1); ++i) {
            (void)countAbove(b.next.data(), kCount, least, found, {});
        }
        (void)selectAbove(b.next.data(), kCount, least, b.message.data(), b.writtenBytes, {});
        SparseList sent{};
        (void)readSparseMessage(b.message.data(), b.writtenBytes, kCount, 0, sent);
        (void)clearListed(sent, momentum.data(), kCount, {});
    });
}

BENCHMARK(topkEncode)->ArgName("one_in")->Arg(100)->Arg(10)->Arg(1000)->Iterations(1);
BENCHMARK(topkEncodeHalves)->ArgName("one_in")->Arg(100)->Arg(10)->Iterations(1);
BENCHMARK(topkEncodeModel)->ArgName("one_in")->Arg(100)->Arg(10)->Iterations(1);
BENCHMARK(topkDecode)->ArgName("one_in")->Arg(100)->Arg(10)->Iterations(1);
BENCHMARK(thresholdEncode)->ArgName("tenths")->Arg(30)->Arg(15)->Arg(10)->Arg(5)->Iterations(1);
BENCHMARK(decodeMessages)->ArgName("tenths")->Arg(30)->Arg(15)->Arg(10)->Arg(5)->Iterations(1);
BENCHMARK(adacompEncode)->ArgName("bin")->Arg(50)->Arg(500)->Arg(10)->Iterations(1);
BENCHMARK(varianceEncode)->ArgName("alpha")->Arg(4)->Arg(1)->Iterations(1);
BENCHMARK(dgcEncode)
    ->ArgNames({"one_in", "counts"})
    ->Args({1000, 1})
    ->Args({20, 1})
    ->Args({1000, 10})
    ->Iterations(1);

}  // namespace
}  // namespace concertina::kernels

BENCHMARK_MAIN();
