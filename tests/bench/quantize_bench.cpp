// SPDX-License-Identifier: Apache-2.0
// Stochastic quantization as ratios to a memory copy (copy_ratio.h). Each encode includes drawing
// the random bits, finding the scales, packing, and what is left of each element; each decode is
// the mean of two ranks.
#include <benchmark/benchmark.h>

#include <vector>

#include "kernels/bit_planes.h"
#include "kernels/dithering.h"
#include "kernels/elias.h"
#include "tests/bench/copy_ratio.h"
#include "tests/kernels/inputs.h"

namespace concertina::kernels {
namespace {

const PhiloxStream kRandom{{{1, 2}}, {3, 4, 5}};

/// Encoding overwrites its input with what is left; the next encode works on that, which takes as
/// long.
struct Message {
    explicit Message(const DitherFormat& given)
        : format(given),
          scales(format.buckets(kCount), 5),
          codes(planeBytes(kCount, format.bits) / 4) {
        encode();
    }
    void encode() {
        (void)dither(format, values.data(), kCount, kRandom, scales.data(), codes.data(), {});
    }

    DitherFormat format;
    std::vector<float> values = normalNumbers(kCount, 1), scales;
    std::vector<std::uint32_t> codes;
};

void encodeBench(benchmark::State& state, const DitherFormat& format) {
    Message message(format);
    message.values = normalNumbers(kCount, 1);
    compareWithCopy(state, [&] { message.encode(); });
}

void decodeBench(benchmark::State& state, const DitherFormat& format) {
    const Message message(format);
    std::vector<float> mean(kCount);
    compareWithCopy(state, [&] {
        (void)ditheredMean(format, {message.scales.data(), 0, message.codes.data(), 0, 2},
                           mean.data(), kCount, {});
    });
}

void eliasEncodeBench(benchmark::State& state, const DitherFormat& format) {
    Message message(format);
    message.codes.resize(kCount);
    std::vector<std::uint32_t> stream(eliasCapacityBytes(format, kCount) / 4);
    std::int64_t bytes = 0;
    compareWithCopy(state, [&] {
        (void)ditherUnpacked(format, message.values.data(), kCount, kRandom, message.scales.data(),
                             message.codes.data(), {});
        (void)encodeElias(format, message.codes.data(), message.scales.data(), kCount,
                          stream.data(), bytes, {});
    });
    state.counters["bits_per_element"] = 8.0 * static_cast<double>(bytes) / kCount;
}

void eliasDecodeBench(benchmark::State& state, const DitherFormat& format) {
    std::vector<float> values = normalNumbers(kCount, 1), scales(format.buckets(kCount));
    std::vector<std::uint32_t> codes(kCount), stream(eliasCapacityBytes(format, kCount) / 4);
    std::int64_t bytes[2] = {};
    (void)ditherUnpacked(format, values.data(), kCount, kRandom, scales.data(), codes.data(), {});
    (void)encodeElias(format, codes.data(), scales.data(), kCount, stream.data(), bytes[0], {});
    bytes[1] = bytes[0];
    compareWithCopy(state, [&] {
        (void)eliasMean(format, {stream.data(), 0, bytes, 2}, values.data(), kCount, {});
    });
}

DitherFormat ternary() {
    DitherFormat format = equalLevels(2, 1, ScaleKind::Given, std::int64_t{1} << 40);
    format.clip = 2.5F;
    return format;
}

const DitherFormat kQsgd4 = equalLevels(4, 7, ScaleKind::Norm, 512);
const DitherFormat kQsgd2 = equalLevels(2, 1, ScaleKind::Norm, 128);
const DitherFormat kQsgd8 = equalLevels(8, 127, ScaleKind::Largest, 512);
const DitherFormat kNatural4 = halvingLevels(4, ScaleKind::Norm, 512);

BENCHMARK_CAPTURE(encodeBench, qsgd_4_bits, kQsgd4)->Iterations(1);
BENCHMARK_CAPTURE(encodeBench, qsgd_2_bits, kQsgd2)->Iterations(1);
BENCHMARK_CAPTURE(encodeBench, qsgd_8_bits, kQsgd8)->Iterations(1);
BENCHMARK_CAPTURE(encodeBench, natural_exponent, powersOfTwo())->Iterations(1);
BENCHMARK_CAPTURE(encodeBench, natural_dithering, kNatural4)->Iterations(1);
BENCHMARK_CAPTURE(encodeBench, terngrad, ternary())->Iterations(1);
BENCHMARK_CAPTURE(decodeBench, qsgd_4_bits, kQsgd4)->Iterations(1);
BENCHMARK_CAPTURE(decodeBench, qsgd_2_bits, kQsgd2)->Iterations(1);
BENCHMARK_CAPTURE(decodeBench, qsgd_8_bits, kQsgd8)->Iterations(1);
BENCHMARK_CAPTURE(decodeBench, natural_exponent, powersOfTwo())->Iterations(1);
BENCHMARK_CAPTURE(decodeBench, natural_dithering, kNatural4)->Iterations(1);
BENCHMARK_CAPTURE(decodeBench, terngrad, ternary())->Iterations(1);
BENCHMARK_CAPTURE(eliasEncodeBench, qsgd_4_bits, kQsgd4)->Iterations(1);
BENCHMARK_CAPTURE(eliasEncodeBench, qsgd_2_bits, kQsgd2)->Iterations(1);
BENCHMARK_CAPTURE(eliasDecodeBench, qsgd_4_bits, kQsgd4)->Iterations(1);
BENCHMARK_CAPTURE(eliasDecodeBench, qsgd_2_bits, kQsgd2)->Iterations(1);

}  // namespace
}  // namespace concertina::kernels

BENCHMARK_MAIN();
