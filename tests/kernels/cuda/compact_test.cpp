// SPDX-License-Identifier: Apache-2.0
// The CUDA kernels that select, code and add up sparse lists against the CPU's, which are tested
// against scalar loops.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "kernels/adacomp.h"
#include "kernels/atomo.h"
#include "kernels/elias_fano.h"
#include "kernels/select.h"
#include "kernels/sparse_lists.h"
#include "kernels/topk.h"
#include "kernels/variance.h"
#include "tests/kernels/cuda/on_gpu.h"
#include "tests/kernels/inputs.h"
#include "tests/kernels/lists.h"

namespace concertina::kernels {
namespace {

const std::vector<std::int64_t> kTileCounts{0, 1, 2, 17, 255, 4095, 4096, 4097, 100000, 3000000};

void expectSelectionEqualsTheCpu(const std::vector<float>& values, std::int64_t kept) {
    const auto count = static_cast<std::int64_t>(values.size());
    const OnGpu<float> input(values);
    const OnGpu<std::int32_t> indices(std::vector<std::int32_t>(kept, -1));
    const OnGpu<float> keptValues(std::vector<float>(kept, -99));
    ASSERT_TRUE(selectTopk(input.data(), count, kept, indices.data(), keptValues.data(), kGpu).ok);

    auto residual = values;
    std::vector<std::int32_t> expectedIndices(kept);
    std::vector<float> expectedValues(kept);
    ASSERT_TRUE(
        selectTopk(residual.data(), count, kept, expectedIndices.data(), expectedValues.data(), {})
            .ok);
    EXPECT_EQ(indices.host(), expectedIndices) << kept << " of " << count;
    EXPECT_EQ(keptValues.host(), expectedValues);
    EXPECT_EQ(input.host(), residual);
}

TEST_F(Gpu, SelectTopkEqualsTheCpu) {
    for (const std::int64_t count : {1, 2, 17, 255, 256, 257, 4095, 4096, 4097, 100000, 3000000}) {
        for (const std::int64_t kept :
             {std::int64_t{1}, count / 100, count / 3, count - 1, count}) {
            expectSelectionEqualsTheCpu(normalNumbers(count, 1), kept);
            expectSelectionEqualsTheCpu(wholeNumbers(count, 2, 2), kept);
            expectSelectionEqualsTheCpu(std::vector<float>(count, 0.0F), kept);
        }
    }
}

/// What `select(values, message, writtenBytes, gpu)` does on the GPU.
template <typename Select>
SelectedMessage selectedOnGpu(Select select, const std::vector<float>& values) {
    const OnGpu<float> input(values);
    const OnGpu<float> message(std::vector<float>(values.size(), -99));
    SelectedMessage got = selectedBy(
        [&](float* hostValues, void* hostMessage, std::int64_t& bytes) {
            const KernelStatus status = select(input.data(), message.data(), bytes);
            const auto residual = input.host();
            const auto sent = message.host();
            std::copy(residual.begin(), residual.end(), hostValues);
            std::copy(sent.begin(), sent.end(), static_cast<float*>(hostMessage));
            return status;
        },
        values);
    return got;
}

TEST_F(Gpu, SelectAboveEqualsTheCpu) {
    for (const std::int64_t count : kTileCounts) {
        for (const float least : {0.0F, 0.5F, 1.5F, 3.0F, 100.0F}) {
            const auto values = normalNumbers(count, 1);
            const auto on = [&](const Stream& stream) {
                return [&, stream](float* v, void* message, std::int64_t& bytes) {
                    return selectAbove(v, count, least, message, bytes, stream);
                };
            };
            EXPECT_TRUE(selectedOnGpu(on(kGpu), values) == selectedBy(on({}), values))
                << count << " from " << least;
            std::int64_t found = -1, expected = -2;
            const OnGpu<float> input(values);
            ASSERT_TRUE(countAbove(input.data(), count, least, found, kGpu).ok);
            ASSERT_TRUE(countAbove(values.data(), count, least, expected, {}).ok);
            EXPECT_EQ(found, expected);
        }
    }
}

TEST_F(Gpu, FindMagnitudeEqualsTheCpu) {
    const auto first = normalNumbers(100000, 1);
    const auto second = normalNumbers(4097, 2);
    const OnGpu<float> gpuFirst(first), gpuSecond(second);
    const MagnitudePart onGpu[] = {
        {gpuFirst.data(), 100000}, {nullptr, 0}, {gpuSecond.data(), 4097}};
    const MagnitudePart onCpu[] = {{first.data(), 100000}, {nullptr, 0}, {second.data(), 4097}};
    for (const std::int64_t wanted : {1, 1000, 50000, 104097}) {
        float got = -1, expected = -2;
        ASSERT_TRUE(findMagnitude(onGpu, 3, wanted, got, kGpu).ok);
        ASSERT_TRUE(findMagnitude(onCpu, 3, wanted, expected, {}).ok);
        EXPECT_EQ(got, expected) << wanted;
    }
}

TEST_F(Gpu, SampleOneInEqualsTheCpu) {
    const auto values = normalNumbers(100100, 1);
    const OnGpu<float> input(values), got(std::vector<float>(1001, -99));
    std::vector<float> expected(1001);
    const PhiloxStream random{{{7, 8}}, {1, 2, 3}};
    ASSERT_TRUE(sampleOneIn(input.data(), 100, 1001, random, got.data(), kGpu).ok);
    ASSERT_TRUE(sampleOneIn(values.data(), 100, 1001, random, expected.data(), {}).ok);
    EXPECT_EQ(got.host(), expected);
}

TEST_F(Gpu, SelectAdacompEqualsTheCpu) {
    for (const std::int64_t count : kTileCounts) {
        for (const std::int64_t bin : {1, 10, 50, 500, 2147483647}) {
            const auto gradient = normalNumbers(count, 1), values = normalNumbers(count, 2);
            const OnGpu<float> gpuGradient(gradient);
            const auto got = selectedOnGpu(
                [&](float* v, void* message, std::int64_t& bytes) {
                    return selectAdacomp({v, gpuGradient.data(), count, bin}, message, bytes, kGpu);
                },
                values);
            const auto expected = selectedBy(
                [&](float* v, void* message, std::int64_t& bytes) {
                    return selectAdacomp({v, gradient.data(), count, bin}, message, bytes, {});
                },
                values);
            EXPECT_TRUE(got == expected) << count << " in bins of " << bin;
        }
    }
}

TEST_F(Gpu, SelectVarianceEqualsTheCpu) {
    for (const std::int64_t count : kTileCounts) {
        for (const float alpha : {0.1F, 1.0F, 4.0F}) {
            const auto gradient = normalNumbers(count, 1), values = normalNumbers(count, 2);
            const OnGpu<float> gpuGradient(gradient);
            const OnGpu<float> gpuSpread(std::vector<float>(count, 0.5F));
            std::vector<float> spread(count, 0.5F);
            const auto got = selectedOnGpu(
                [&](float* v, void* message, std::int64_t& bytes) {
                    return selectVariance(
                        {v, gpuGradient.data(), gpuSpread.data(), count, alpha, 0.999F}, message,
                        bytes, kGpu);
                },
                values);
            const auto expected = selectedBy(
                [&](float* v, void* message, std::int64_t& bytes) {
                    return selectVariance({v, gradient.data(), spread.data(), count, alpha, 0.999F},
                                          message, bytes, {});
                },
                values);
            EXPECT_TRUE(got == expected) << count << ", alpha " << alpha;
            EXPECT_EQ(gpuSpread.host(), spread);
        }
    }
}

TEST_F(Gpu, EliasFanoEqualsTheCpuAndRefusesABadBitmap) {
    for (const std::int64_t step : {1, 2, 3, 10, 31, 100, 1000}) {
        std::vector<std::int32_t> indices;
        for (std::int64_t i = step / 2; i < 1000000; i += step) {
            indices.push_back(static_cast<std::int32_t>(i));
        }
        const EliasFano form = eliasFanoOf(static_cast<std::int64_t>(indices.size()), 1000000);
        std::vector<std::uint32_t> expected(form.bytes() / 4);
        ASSERT_TRUE(packIndices(indices.data(), form, expected.data(), {}).ok);
        const OnGpu<std::int32_t> input(indices), back(std::vector<std::int32_t>(form.kept, -99));
        const OnGpu<std::uint32_t> words(std::vector<std::uint32_t>(expected.size(), 0xEEEEEEEE));
        ASSERT_TRUE(packIndices(input.data(), form, words.data(), kGpu).ok);
        EXPECT_EQ(words.host(), expected) << step;
        ASSERT_TRUE(unpackIndices(words.data(), form, 2, back.data(), kGpu).ok);
        EXPECT_EQ(back.host(), indices) << step;
    }
    const EliasFano form = eliasFanoOf(3, 16);
    const OnGpu<std::uint32_t> bad(std::vector<std::uint32_t>{0b11'10'01, 0b101101});
    const OnGpu<std::int32_t> back(std::vector<std::int32_t>(3));
    EXPECT_EQ(unpackIndices(bad.data(), form, 2, back.data(), kGpu).message,
              "the index bitmap of rank 2 has 4 bits set, but stands for 3 elements");
}

TEST_F(Gpu, ScatterMeanAddsListsAndAllValuesAndRefusesBadIndices) {
    const OnGpu<std::int32_t> first(wordsOf({0, 3}, {2, 8})),
        second(wordsOf({1, 3, 4}, {1, 4, -6}));
    const OnGpu<float> all(std::vector<float>{4, 4, 4, 4, 4, 4}), mean(std::vector<float>(6, -99));
    const SparseList lists[] = {
        {first.data(), 2}, {second.data(), 3}, {all.data(), 6, true}, {nullptr, 0}};
    ASSERT_TRUE(scatterMean(lists, 4, mean.data(), 6, kGpu).ok);
    EXPECT_THAT(mean.host(), testing::ElementsAre(1.5F, 1.25F, 1, 4, -0.5F, 1));

    const OnGpu<std::int32_t> outside(wordsOf({3, 6}, {1, 1})), twice(wordsOf({3, 3}, {1, 1}));
    const SparseList withOutside[] = {{first.data(), 2}, {outside.data(), 2}};
    EXPECT_EQ(scatterMean(withOutside, 2, mean.data(), 6, kGpu).message,
              "the sparse list of rank 1 names element 6 at position 1, but the tensor has "
              "elements 0 to 5");
    const SparseList withTwice[] = {{first.data(), 2}, {twice.data(), 2}};
    EXPECT_EQ(scatterMean(withTwice, 2, mean.data(), 6, kGpu).message,
              "the sparse list of rank 1 names element 3 at position 1 after element 3, but "
              "elements are named in ascending order");
}

TEST_F(Gpu, ListsAreClearedAndPlaced) {
    const OnGpu<std::int32_t> words(wordsOf({1, 3}, {5, -6}));
    const OnGpu<float> target(std::vector<float>{1, 2, 3, 4});
    ASSERT_TRUE(placeListed({words.data(), 2}, target.data(), kGpu).ok);
    EXPECT_THAT(target.host(), testing::ElementsAre(1, 5, 3, -6));
    ASSERT_TRUE(clearListed({words.data(), 2}, target.data(), 4, kGpu).ok);
    EXPECT_THAT(target.host(), testing::ElementsAre(1, 0, 3, 0));
    ASSERT_TRUE(clearListed({words.data(), 4, true}, target.data(), 4, kGpu).ok);
    EXPECT_THAT(target.host(), testing::ElementsAre(0, 0, 0, 0));
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void expectDrawEqualsTheCpu(const std::vector<float>& values, double scale) {
    const auto count = static_cast<std::int64_t>(values.size());
    const PhiloxStream random{{{7, 8}}, {1, 2, 3}};
    const OnGpu<float> input(values);
    const OnGpu<std::int32_t> message(std::vector<std::int32_t>(count, -1));
    std::int64_t bytes = -1;
    ASSERT_TRUE(drawEntries(input.data(), count, scale, random, message.data(), bytes, kGpu).ok);

    auto residual = values;
    std::vector<std::int32_t> expected(count, -1);
    std::int64_t expectedBytes = -1;
    ASSERT_TRUE(
        drawEntries(residual.data(), count, scale, random, expected.data(), expectedBytes, {}).ok);
    EXPECT_EQ(bytes, expectedBytes) << count;
    EXPECT_EQ(message.host(), expected) << count;
    EXPECT_EQ(input.host(), residual) << count;
}

TEST_F(Gpu, DrawEntriesEqualsTheCpuInBothForms) {
    for (const std::int64_t count : {0, 1, 2, 17, 255, 4095, 4096, 4097, 100000, 3000000}) {
        for (const double scale : {1.0, 0x1p26, 0x1p31, kInfinity}) {
            expectDrawEqualsTheCpu(normalNumbers(count, 1), scale);
        }
        expectDrawEqualsTheCpu(std::vector<float>(count, 0.0F), kInfinity);
    }
}

TEST_F(Gpu, SumUpToIsExactInWholeNumbers) {
    for (const std::int64_t count : kAwkwardCounts) {
        const auto values = wholeNumbers(count, 1000, 1);
        ClipSums sums, expected;
        ASSERT_TRUE(sumUpTo(OnGpu<float>(values).data(), count, 400, sums, kGpu).ok);
        ASSERT_TRUE(sumUpTo(values.data(), count, 400, expected, {}).ok);
        EXPECT_EQ(sums.below, expected.below) << count;
        EXPECT_EQ(sums.above, expected.above) << count;
    }
}

}  // namespace
}  // namespace concertina::kernels
