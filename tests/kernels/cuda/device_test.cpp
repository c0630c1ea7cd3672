// SPDX-License-Identifier: Apache-2.0
// The CUDA kernels against the CPU's, which are tested against scalar loops. Needs a GPU, nvcc and
// GoogleTest, no torch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/accumulate.h"
#include "kernels/bit_planes.h"
#include "kernels/dither_element.h"
#include "kernels/dithering.h"
#include "kernels/elias.h"
#include "kernels/elias_fano.h"
#include "kernels/half.h"
#include "kernels/onebit.h"
#include "kernels/powersgd.h"
#include "kernels/randomk.h"
#include "kernels/scale.h"
#include "kernels/signs.h"
#include "tests/kernels/cuda/on_gpu.h"
#include "tests/kernels/inputs.h"

namespace concertina::kernels {
namespace {

TEST_F(Gpu, AccumulateEqualsTheCpu) {
    for (const std::int64_t count : kAwkwardCounts) {
        const OnGpu<float> gradient(wholeNumbers(count, 1000, 1));
        const OnGpu<float> memory(wholeNumbers(count, 1000, 2));
        const OnGpu<float> epochSum(wholeNumbers(count, 1000, 3));
        const OnGpu<float> next(std::vector<float>(count, -99));
        Norms norms;
        ASSERT_TRUE(
            accumulate({gradient.data(), memory.data(), epochSum.data(), next.data(), count}, norms,
                       kGpu)
                .ok);

        const auto g = wholeNumbers(count, 1000, 1);
        auto sum = wholeNumbers(count, 1000, 3);
        const auto m = wholeNumbers(count, 1000, 2);
        std::vector<float> expectedNext(count);
        Norms expected;
        ASSERT_TRUE(
            accumulate({g.data(), m.data(), sum.data(), expectedNext.data(), count}, expected, {})
                .ok);
        EXPECT_EQ(next.host(), expectedNext);
        EXPECT_EQ(epochSum.host(), sum);
        EXPECT_EQ(norms.squares, expected.squares);  // whole numbers: exact in any order
        EXPECT_TRUE(norms.finite);
    }
}

TEST_F(Gpu, AccumulateFindsANonFiniteElement) {
    auto values = wholeNumbers(100000, 10, 1);
    values[77777] = std::numeric_limits<float>::quiet_NaN();
    const OnGpu<float> gradient(values);
    Norms norms;
    ASSERT_TRUE(measure(gradient.data(), 100000, norms, kGpu).ok);
    EXPECT_FALSE(norms.finite);
}

TEST_F(Gpu, DivideEqualsTheCpu) {
    for (const std::int64_t count : kAwkwardCounts) {
        auto values = normalNumbers(count, 1);
        const OnGpu<float> input(values);
        ASSERT_TRUE(divide(input.data(), 3, input.data(), count, kGpu).ok);
        ASSERT_TRUE(divide(values.data(), 3, values.data(), count, {}).ok);
        EXPECT_EQ(input.host(), values);
    }
}

TEST_F(Gpu, NarrowAndWidenEqualTheCpu) {
    for (const HalfType type : {HalfType::Fp16, HalfType::Bf16}) {
        for (const std::int64_t count : kAwkwardCounts) {
            auto values = normalNumbers(count, 1);
            for (std::int64_t i = 0; i < count; ++i) {
                values[i] = std::ldexp(values[i], static_cast<int>(i % 151) - 75);
            }
            const OnGpu<float> input(values);
            const OnGpu<std::uint16_t> halves(std::vector<std::uint16_t>(count, 0xEEEE));
            ASSERT_TRUE(narrow(input.data(), count, type, 3, halves.data(), kGpu).ok);
            std::vector<std::uint16_t> expected(count);
            ASSERT_TRUE(narrow(values.data(), count, type, 3, expected.data(), {}).ok);
            EXPECT_EQ(halves.host(), expected);
            EXPECT_EQ(input.host(), values);
            ASSERT_TRUE(widen(halves.data(), count, type, input.data(), kGpu).ok);
            ASSERT_TRUE(widen(expected.data(), count, type, values.data(), {}).ok);
            EXPECT_EQ(input.host(), values);
        }
    }
}

TEST_F(Gpu, SignsEqualTheCpus) {
    for (const std::int64_t count : kAwkwardCounts) {
        const std::int64_t words = 1 + signBytes(count) / 4;
        std::vector<float> messages;
        const OnGpu<float> gathered(std::vector<float>(3 * words, -77));
        for (int rank = 0; rank < 3; ++rank) {
            auto values = wholeNumbers(count, 3, rank);
            const OnGpu<float> onGpu(values);
            const float scale = static_cast<float>(rank) / 2;
            ASSERT_TRUE(
                packSigns(onGpu.data(), count, scale, gathered.data() + rank * words, kGpu).ok);
            messages.resize((rank + 1) * words);
            ASSERT_TRUE(packSigns(values.data(), count, scale, &messages[rank * words], {}).ok);
            EXPECT_EQ(onGpu.host(), values);
        }
        const auto got = gathered.host();
        EXPECT_EQ(std::memcmp(got.data(), messages.data(), got.size() * sizeof(float)), 0);
        for (const SignRule rule : {SignRule::Mean, SignRule::Vote}) {
            const OnGpu<float> result(std::vector<float>(count, -99));
            std::vector<float> expected(count);
            ASSERT_TRUE(
                combineSigns({gathered.data(), words * 4, 3}, rule, result.data(), count, kGpu).ok);
            ASSERT_TRUE(
                combineSigns({messages.data(), words * 4, 3}, rule, expected.data(), count, {}).ok);
            EXPECT_EQ(result.host(), expected);
        }
    }
}

TEST_F(Gpu, OnebitEqualsTheCpu) {
    for (const RowShape shape : {RowShape{1, 1}, {3, 7}, {17, 33}, {33, 1000}}) {
        const std::int64_t count = shape.rows * shape.columns;
        auto values = wholeNumbers(count, 5, 1);  // exact sums in any order
        const OnGpu<float> onGpu(values);
        const OnGpu<float> message(std::vector<float>(onebitBytes(shape) / 4));
        std::vector<float> expected(onebitBytes(shape) / 4);
        ASSERT_TRUE(packOnebit(onGpu.data(), shape, message.data(), kGpu).ok);
        ASSERT_TRUE(packOnebit(values.data(), shape, expected.data(), {}).ok);
        EXPECT_EQ(std::memcmp(message.host().data(), expected.data(), onebitBytes(shape)), 0);
        EXPECT_EQ(onGpu.host(), values);
        ASSERT_TRUE(meanOfOnebit({message.data(), 0, 2}, shape, onGpu.data(), kGpu).ok);
        ASSERT_TRUE(meanOfOnebit({expected.data(), 0, 2}, shape, values.data(), {}).ok);
        EXPECT_EQ(onGpu.host(), values);
    }
}

TEST_F(Gpu, RandomPositionsEqualTheCpus) {
    for (const std::int64_t count : {1, 2, 17, 100000}) {
        for (const bool block : {false, true}) {
            const std::int64_t kept = (count + 2) / 3;
            const RandomPositions positions(count, kept, block, {{{3, 5}}, {0, 0, 0}});
            auto values = normalNumbers(count, 1);
            const OnGpu<float> onGpu(values);
            const OnGpu<float> taken(std::vector<float>(kept, -99));
            std::vector<float> expected(kept);
            ASSERT_TRUE(takeRandom(onGpu.data(), positions, 2.5F, taken.data(), kGpu).ok);
            ASSERT_TRUE(takeRandom(values.data(), positions, 2.5F, expected.data(), {}).ok);
            EXPECT_EQ(taken.host(), expected);
            EXPECT_EQ(onGpu.host(), values);
            ASSERT_TRUE(putRandom(taken.data(), positions, 3, onGpu.data(), kGpu).ok);
            ASSERT_TRUE(putRandom(expected.data(), positions, 3, values.data(), {}).ok);
            EXPECT_EQ(onGpu.host(), values);
        }
    }
}

// A launch of no blocks would be an error, and would stay one for whoever looks next.
TEST_F(Gpu, NothingToDoIsNoError) {
    const OnGpu<float> values(std::vector<float>{1, 2, 3});
    const OnGpu<std::int32_t> indices(std::vector<std::int32_t>{7});
    const OnGpu<std::uint32_t> words(std::vector<std::uint32_t>{7});
    const RandomPositions none(3, 0, false, {{{3, 5}}, {0, 0, 0}});
    EXPECT_TRUE(takeRandom(values.data(), none, 1, values.data(), kGpu).ok);
    EXPECT_TRUE(packOnebit(values.data(), {0, 5}, words.data(), kGpu).ok);
    EXPECT_TRUE(meanOfOnebit({words.data(), 0, 1}, {2, 0}, values.data(), kGpu).ok);
    EXPECT_TRUE(packIndices(indices.data(), {0, 5, 1}, words.data(), kGpu).ok);
    EXPECT_TRUE(unpackIndices(words.data(), {0, 5, 1}, 0, indices.data(), kGpu).ok);
    EXPECT_EQ(values.host(), (std::vector<float>{1, 2, 3}));
    EXPECT_EQ(words.host(), std::vector<std::uint32_t>{7});
    EXPECT_TRUE(putRandom(values.data(), none, 1, values.data(), kGpu).ok);
    EXPECT_EQ(values.host(), (std::vector<float>{0, 0, 0}));
}

TEST_F(Gpu, PowersgdProductsAreExactInWholeNumbers) {
    for (const MatrixShape& s :
         {MatrixShape{1, 1, 1}, {2, 1, 1}, {64, 27, 2}, {5, 9, 5}, {512, 4608, 4}, {33, 1000, 7}}) {
        const auto matrix = wholeNumbers(s.rows * s.columns, 9, 1);
        const auto q = wholeNumbers(s.columns * s.rank, 9, 2);
        const auto p = wholeNumbers(s.rows * s.rank, 9, 3);
        const OnGpu<float> gpuMatrix(matrix), gpuQ(q), gpuP(p);
        const OnGpu<float> gotP(p), gotQ(q), gotOutput(matrix);
        ASSERT_TRUE(multiply(gpuMatrix.data(), gpuQ.data(), s, gotP.data(), kGpu).ok);
        ASSERT_TRUE(multiplyTransposed(gpuMatrix.data(), gpuP.data(), s, gotQ.data(), kGpu).ok);
        ASSERT_TRUE(
            reconstruct(gpuP.data(), gpuQ.data(), s, gpuMatrix.data(), gotOutput.data(), kGpu).ok);

        auto expectedP = p, expectedQ = q, residual = matrix, output = matrix;
        ASSERT_TRUE(multiply(matrix.data(), q.data(), s, expectedP.data(), {}).ok);
        ASSERT_TRUE(multiplyTransposed(matrix.data(), p.data(), s, expectedQ.data(), {}).ok);
        ASSERT_TRUE(reconstruct(p.data(), q.data(), s, residual.data(), output.data(), {}).ok);
        EXPECT_EQ(gotP.host(), expectedP);
        EXPECT_EQ(gotQ.host(), expectedQ);
        EXPECT_EQ(gotOutput.host(), output);
        EXPECT_EQ(gpuMatrix.host(), residual);
    }
}

TEST_F(Gpu, OrthogonaliseComesCloseToTheCpuAndKeepsZeros) {
    const std::int64_t length = 1000;
    auto columns = normalNumbers(length * 5, 1);
    std::fill_n(columns.begin() + 2 * length, length, 0.0F);
    std::copy_n(columns.begin(), length, columns.begin() + 3 * length);
    const OnGpu<float> onGpu(columns);
    ASSERT_TRUE(orthogonalise(onGpu.data(), length, 5, kGpu).ok);
    ASSERT_TRUE(orthogonalise(columns.data(), length, 5, {}).ok);
    EXPECT_THAT(onGpu.host(), testing::Pointwise(testing::FloatNear(1e-6F), columns));
    const auto got = onGpu.host();
    for (std::int64_t i = 2 * length; i < 4 * length; ++i) {
        ASSERT_EQ(got[i], 0) << i;
    }
}

const PhiloxStream kRandom{{{11, 12}}, {13, 14, 15}};

/// Scales, codes (packed or a word each) and residual of one call.
struct Dithered {
    std::vector<float> values, scales;
    std::vector<std::uint32_t> codes;
};

Dithered ditherOnCpu(const DitherFormat& format, std::int64_t count, bool packed) {
    Dithered got{normalNumbers(count, 1), std::vector<float>(format.buckets(count), 3), {}};
    got.codes.resize(packed ? planeBytes(count, format.bits) / 4 : count);
    const auto run = packed ? cpu::dither : cpu::ditherUnpacked;
    EXPECT_TRUE(
        run(format, got.values.data(), count, kRandom, got.scales.data(), got.codes.data(), {}).ok);
    return got;
}

void expectDitherEqualsTheCpu(const DitherFormat& format, std::int64_t count, bool packed) {
    const Dithered expected = ditherOnCpu(format, count, packed);
    const OnGpu<float> values(normalNumbers(count, 1));
    const OnGpu<float> scales(std::vector<float>(format.buckets(count), 3));
    const OnGpu<std::uint32_t> codes(std::vector<std::uint32_t>(expected.codes.size(), 99));
    const auto run = packed ? cuda::dither : cuda::ditherUnpacked;
    ASSERT_TRUE(run(format, values.data(), count, kRandom, scales.data(), codes.data(), kGpu).ok);
    EXPECT_EQ(scales.host(), expected.scales) << count;
    EXPECT_EQ(codes.host(), expected.codes) << count;
    EXPECT_EQ(values.host(), expected.values) << count;
}

std::vector<DitherFormat> ditherFormats() {
    DitherFormat clipped = equalLevels(2, 1, ScaleKind::Given, 1 << 20);
    clipped.clip = 2;
    return {equalLevels(4, 7, ScaleKind::Norm, 512), equalLevels(8, 100, ScaleKind::Largest, 32),
            halvingLevels(4, ScaleKind::Norm, 64), powersOfTwo(), clipped};
}

TEST_F(Gpu, DitherEqualsTheCpu) {
    for (const DitherFormat& format : ditherFormats()) {
        for (const std::int64_t count : kAwkwardCounts) {
            expectDitherEqualsTheCpu(format, count, true);
            expectDitherEqualsTheCpu(format, count, false);
        }
    }
}

TEST_F(Gpu, DitheredMeanEqualsTheCpuAndRefusesABadScale) {
    for (const DitherFormat& format : ditherFormats()) {
        for (const std::int64_t count : kAwkwardCounts) {
            Dithered sent = ditherOnCpu(format, count, true);
            std::vector<float> expected(count);
            ASSERT_TRUE(ditheredMean(format, {sent.scales.data(), 0, sent.codes.data(), 0, 3},
                                     expected.data(), count, {})
                            .ok);
            const OnGpu<float> scales(sent.scales), mean(std::vector<float>(count, -99));
            const OnGpu<std::uint32_t> codes(sent.codes);
            ASSERT_TRUE(ditheredMean(format, {scales.data(), 0, codes.data(), 0, 3}, mean.data(),
                                     count, kGpu)
                            .ok);
            EXPECT_EQ(mean.host(), expected) << count;
        }
    }
    const DitherFormat format = equalLevels(4, 7, ScaleKind::Norm, 32);
    const OnGpu<float> scales({1, -1}), mean(std::vector<float>(64));
    const OnGpu<std::uint32_t> codes(std::vector<std::uint32_t>(8));
    EXPECT_EQ(
        ditheredMean(format, {scales.data(), 0, codes.data(), 0, 1}, mean.data(), 64, kGpu).message,
        "bucket 1 of rank 0 is corrupted: its scale must be finite and not negative, its "
        "levels at most 7");
}

TEST_F(Gpu, EliasEqualsTheCpuAndRefusesNoise) {
    const DitherFormat format = equalLevels(4, 7, ScaleKind::Norm, 512);
    for (const std::int64_t count : kAwkwardCounts) {
        const Dithered sent = ditherOnCpu(format, count, false);
        std::vector<std::uint32_t> expected(eliasCapacityBytes(format, count) / 4, 0xEE);
        const OnGpu<std::uint32_t> codes(sent.codes), message(expected);
        const OnGpu<float> scales(sent.scales), mean(std::vector<float>(count, -99));
        std::int64_t bytes = -1;
        std::int64_t expectedBytes = -2;
        ASSERT_TRUE(encodeElias(format, sent.codes.data(), sent.scales.data(), count,
                                expected.data(), expectedBytes, {})
                        .ok);
        ASSERT_TRUE(
            encodeElias(format, codes.data(), scales.data(), count, message.data(), bytes, kGpu)
                .ok);
        EXPECT_EQ(bytes, expectedBytes);
        EXPECT_EQ(message.host(), expected) << count;
        std::vector<float> expectedMean(count);
        ASSERT_TRUE(
            eliasMean(format, {expected.data(), 0, &bytes, 1}, expectedMean.data(), count, {}).ok);
        ASSERT_TRUE(eliasMean(format, {message.data(), 0, &bytes, 1}, mean.data(), count, kGpu).ok);
        EXPECT_EQ(mean.host(), expectedMean) << count;
    }
    const OnGpu<std::uint32_t> noise({bitsOf(1), 2, 0xFFFFFFFF});
    const OnGpu<float> mean(std::vector<float>(5));
    const std::int64_t bytes = 12;
    EXPECT_EQ(eliasMean(format, {noise.data(), 0, &bytes, 1}, mean.data(), 5, kGpu).message,
              "the Elias stream of bucket 0 of rank 0 is corrupted");
}

}  // namespace
}  // namespace concertina::kernels
