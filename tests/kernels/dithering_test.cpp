// SPDX-License-Identifier: Apache-2.0
#include "kernels/dithering.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "kernels/dither_element.h"
#include "tests/kernels/inputs.h"

namespace concertina::kernels {
namespace {

using testing::Each;
using testing::ElementsAre;

constexpr float kLargest = std::numeric_limits<float>::max();
const PhiloxStream kRandom{{{11, 12}}, {13, 14, 15}};

struct Dithered {
    std::vector<float> scales, residual;
    std::vector<std::uint32_t> codes;
};

Dithered run(const DitherFormat& format,
             std::vector<float> values,
             const PhiloxStream& random = kRandom,
             std::vector<float> scales = {}) {
    const auto count = static_cast<std::int64_t>(values.size());
    Dithered got;
    if (format.scale == ScaleKind::Given && scales.empty()) {
        scales = {1};
    }
    scales.resize(std::max<std::size_t>(scales.size(), format.buckets(count)), -1);
    got.codes.assign(planeBytes(count, format.bits) / 4, 0xEEEEEEEE);
    EXPECT_TRUE(
        dither(format, values.data(), count, random, scales.data(), got.codes.data(), {}).ok);
    got.scales = std::move(scales);
    got.residual = std::move(values);
    return got;
}

DitheredRows rowsOf(const Dithered& dithered) {
    return {dithered.scales.data(), 0, dithered.codes.data(), 0, 1};
}

/// What the codes of one rank stand for.
std::vector<float> decoded(const DitherFormat& format, const Dithered& dithered) {
    const auto count = static_cast<std::int64_t>(dithered.residual.size());
    std::vector<float> mean(count, -99);
    const KernelStatus status = ditheredMean(format, rowsOf(dithered), mean.data(), count, {});
    EXPECT_TRUE(status.ok) << status.message;
    return mean;
}

std::vector<DitherFormat> allFormats() {
    std::vector<DitherFormat> formats{powersOfTwo()};
    for (int bits = 2; bits <= 8; ++bits) {
        const int most = (1 << (bits - 1)) - 1;
        formats.push_back(equalLevels(bits, most, ScaleKind::Norm, 512));
        formats.push_back(equalLevels(bits, (most + 1) / 2, ScaleKind::Largest, 32));
        formats.push_back(halvingLevels(bits, ScaleKind::Norm, 64));
        formats.push_back(halvingLevels(bits, ScaleKind::Largest, 512));
    }
    formats.push_back(equalLevels(16, 32767, ScaleKind::Norm, 512));
    formats.push_back(equalLevels(2, 1, ScaleKind::Given, 100032));
    formats.back().clip = 2.5F;
    return formats;
}

std::string nameOf(const DitherFormat& format) {
    return std::string(format.spacing == Spacing::Equal ? "equal " : "halving ") +
           std::to_string(format.bits) + " bits, bucket " + std::to_string(format.bucket);
}

void expectEqualsScalarLoop(const DitherFormat& format, std::int64_t count) {
    const auto values = normalNumbers(count, 1);
    const Dithered got = run(format, values, kRandom, {2.5F});
    std::vector<float> unpackedValues = values;
    std::vector<float> scales = got.scales;
    std::vector<std::uint32_t> words(count, 0xEEEEEEEE);
    ASSERT_TRUE(ditherUnpacked(format, unpackedValues.data(), count, kRandom, scales.data(),
                               words.data(), {})
                    .ok);
    EXPECT_EQ(scales, got.scales);
    EXPECT_EQ(unpackedValues, got.residual);
    const auto mean = decoded(format, got);
    for (std::int64_t i = 0; i < count; ++i) {
        const float scale = got.scales[i / format.bucket];
        const std::uint32_t code = ditherCode(format, values[i], scale, kRandom.word(i));
        ASSERT_EQ(codeOfRow(format, rowsOf(got), 0, i, count), code) << i << " of " << count;
        ASSERT_EQ(words[i], code) << i << " of " << count;
        ASSERT_EQ(got.residual[i], values[i] - ditheredValue(format, code, scale)) << i;
        ASSERT_EQ(mean[i], ditheredValue(format, code, scale)) << i;
    }
}

TEST(Dithering, EveryTargetGivesTheBitsOfTheSharedArithmetic) {
    onEachTarget([] {
        for (const DitherFormat& format : allFormats()) {
            SCOPED_TRACE(nameOf(format));
            for (const std::int64_t count : kAwkwardCounts) {
                if (count <= 1000 || format.bits % 2 == 0) {
                    expectEqualsScalarLoop(format, count);
                }
            }
        }
    });
}

TEST(Dithering, ScalesAreNormsOrLargestMagnitudes) {
    onEachTarget([] {
        std::vector<float> values(70, 0.0F);
        values[0] = -3;
        values[31] = 4;
        values[40] = -7;
        const auto scalesOf = [&](ScaleKind kind) {
            return run(equalLevels(4, 7, kind, 32), values).scales;
        };
        EXPECT_THAT(scalesOf(ScaleKind::Norm), ElementsAre(5, 7, 0));
        EXPECT_THAT(scalesOf(ScaleKind::Largest), ElementsAre(4, 7, 0));
    });
}

// Scale 8, levels 0, 2, 4, 6, 8: on a level nothing is random.
TEST(Dithering, ALevelStaysWhatItIs) {
    const std::vector<float> values{8, -6, 4, -2, 0, 2, -8};
    const Dithered got = run(equalLevels(4, 4, ScaleKind::Largest, 32), values);
    EXPECT_THAT(got.residual, Each(0));
    EXPECT_EQ(decoded(equalLevels(4, 4, ScaleKind::Largest, 32), got), values);
    const std::vector<float> powers{8, -4, 2, -1, 0.5F, 0.25F, 0.125F, 0};
    const Dithered halving = run(halvingLevels(4, ScaleKind::Largest, 32), powers);
    EXPECT_THAT(halving.residual, Each(0));
    const std::vector<float> floats{0x1p-126F, -0x1p127F, 1, -0.5F, 0};
    EXPECT_EQ(decoded(powersOfTwo(), run(powersOfTwo(), floats)), floats);
}

TEST(Dithering, ZerosOfEitherSignGiveZerosAndScaleZero) {
    for (const DitherFormat& format : allFormats()) {
        std::vector<float> values(75, 0.0F);
        values[3] = -0.0F;
        const Dithered got = run(format, values, kRandom, {0});
        EXPECT_THAT(decoded(format, got), Each(0)) << nameOf(format);
        EXPECT_THAT(got.residual, Each(0)) << nameOf(format);
    }
}

struct Moments {
    std::vector<double> mean;
    double squaredError = 0;  // mean over the draws of its sum over the elements
};

Moments momentsOf(const DitherFormat& format,
                  const std::vector<float>& values,
                  int draws,
                  const std::vector<float>& scales = {}) {
    Moments moments{std::vector<double>(values.size()), 0};
    for (int draw = 0; draw < draws; ++draw) {
        const PhiloxStream random{{{21, 22}}, {23, static_cast<std::uint32_t>(draw), 25}};
        const Dithered got = run(format, values, random, scales);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double residual = got.residual[i];
            moments.mean[i] += (values[i] - residual) / draws;
            moments.squaredError += residual * residual / draws;
        }
    }
    return moments;
}

/// The variance of an element rounded to one of the neighbours `step` apart, `fraction` between.
double varianceOf(double fraction, double step) { return fraction * (1 - fraction) * step * step; }

// 128 elements of 7 formats, each mean of 4,000 draws less than 6 standard errors away: a false
// alarm in 2 of a million seeds.
TEST(Dithering, EqualLevelsAreUnbiasedWithTheVarianceOfTheirFractions) {
    constexpr int kDraws = 4000;
    for (int bits = 2; bits <= 8; ++bits) {
        const int steps = (1 << (bits - 1)) - 1;
        const auto values = normalNumbers(128, 3);
        const double norm =
            std::sqrt(std::accumulate(values.begin(), values.end(), 0.0, [](double sum, float v) {
                return sum + static_cast<double>(v) * v;
            }));
        const Moments moments =
            momentsOf(equalLevels(bits, steps, ScaleKind::Norm, 128), values, kDraws);
        double expectedSquares = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double place = std::abs(values[i]) / norm * steps;
            const double variance = varianceOf(place - std::floor(place), norm / steps);
            expectedSquares += variance;
            EXPECT_NEAR(moments.mean[i], values[i], 6 * std::sqrt(variance / kDraws) + 1e-6)
                << bits << " bits, element " << i;
        }
        // Lemma 3.1; and not merely within the bound.
        const double n = 128;
        EXPECT_LE(moments.squaredError,
                  std::min(n / steps / steps, std::sqrt(n) / steps) * norm * norm);
        EXPECT_NEAR(moments.squaredError / expectedSquares, 1, 0.05) << bits << " bits";
    }
}

// Where Lemma 3.1 is nearly tight: equal magnitudes and one level, (sqrt(n) - 1) ||v||^2.
TEST(Dithering, OneLevelHasTheVarianceOfTheLemma) {
    constexpr int kDraws = 4000;
    const std::vector<float> ones(64, 1.0F);
    const Moments moments = momentsOf(equalLevels(2, 1, ScaleKind::Norm, 64), ones, kDraws);
    // Of 256,000 elements each is 8 with probability 1/8: squares 49 and 1, standard error 0.032.
    EXPECT_NEAR(moments.squaredError / 64, 7, 6 * 0.032);
}

// The worst of all numbers is 4/3 of a power of two: up with probability 1/3, variance 1/8 of its
// square. 64 x 4,000 draws: the standard error of the share is 0.00093.
TEST(Dithering, PowersOfTwoHaveVarianceOneEighthAtWorst) {
    constexpr int kDraws = 4000;
    const float worst = 4.0F / 3;
    const Moments moments = momentsOf(powersOfTwo(), std::vector<float>(64, worst), kDraws);
    const double mean = std::accumulate(moments.mean.begin(), moments.mean.end(), 0.0) / 64;
    EXPECT_NEAR(mean - 1, 1.0 / 3, 6 * 0.00093);
    EXPECT_NEAR(moments.squaredError / 64 / (worst * worst), 1.0 / 8, 0.002);
    const auto values = normalNumbers(1000, 4);
    double squares = 0;
    for (const float value : values) {
        squares += static_cast<double>(value) * value;
    }
    EXPECT_LE(momentsOf(powersOfTwo(), values, 100).squaredError, squares / 8);
}

// Every element's neighbours are found here in another way: by logarithm. 100 elements of 3
// formats, 6 standard errors.
TEST(Dithering, HalvingLevelsAreUnbiased) {
    constexpr int kDraws = 4000;
    for (const int bits : {2, 3, 4}) {
        const int levels = (1 << (bits - 1)) - 1;
        auto values = normalNumbers(100, 5);
        values[99] = 4;
        const Moments moments =
            momentsOf(halvingLevels(bits, ScaleKind::Largest, 128), values, kDraws);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double x = std::abs(values[i]) / 4.0;
            const double lowest = std::exp2(1 - levels);
            const double below = x < lowest ? 0 : std::exp2(std::floor(std::log2(x)));
            const double step = x < lowest ? lowest : below;
            const double variance = varianceOf((x - below) / step, 4 * step);
            EXPECT_NEAR(moments.mean[i], values[i], 6 * std::sqrt(variance / kDraws) + 1e-6)
                << bits << " bits, element " << i;
        }
    }
}

// Half way to the smallest normal number, and half way in a denormal's range.
TEST(Dithering, DenormalsAreUnbiased) {
    constexpr int kDraws = 4000;
    const Moments moments = momentsOf(powersOfTwo(), std::vector<float>(64, -0x1p-127F), kDraws);
    const double mean =
        std::accumulate(moments.mean.begin(), moments.mean.end(), 0.0) / 64 * 0x1p126;
    EXPECT_NEAR(mean, -0.5, 6 * 0.001);  // standard error 0.00099
    const float smallest = std::numeric_limits<float>::denorm_min();
    for (const DitherFormat& format : allFormats()) {
        const auto rounded =
            decoded(format, run(format, {smallest, -smallest}, kRandom, {smallest}));
        EXPECT_LE(std::abs(rounded[0]), 2 * smallest) << nameOf(format);
    }
}

TEST(Dithering, TheLargestFloatsStayFinite) {
    onEachTarget([] {
        for (const DitherFormat& format : allFormats()) {
            std::vector<float> values(600, kLargest);
            values[7] = -kLargest;
            const Dithered got = run(format, values, kRandom, {kLargest});
            for (const float value : decoded(format, got)) {
                ASSERT_LE(std::abs(value), kLargest) << nameOf(format);
            }
            for (const float value : got.residual) {
                ASSERT_LE(std::abs(value), kLargest) << nameOf(format);
            }
        }
        // 2^128 is no float: the top binade is rounded down.
        EXPECT_THAT(decoded(powersOfTwo(), run(powersOfTwo(), std::vector<float>(40, kLargest))),
                    Each(0x1p127F));
    });
}

// Magnitudes above 2 count as 2, on a scale of 4 that several ranks share: 1/2 of them become 4.
TEST(Dithering, ClippedMagnitudesAreRoundedOnAGivenScale) {
    constexpr int kDraws = 4000;
    DitherFormat format = equalLevels(2, 1, ScaleKind::Given, 64);
    format.clip = 2;
    const Moments moments = momentsOf(format, std::vector<float>(64, -100.0F), kDraws, {4});
    const double mean = std::accumulate(moments.mean.begin(), moments.mean.end(), 0.0) / 64;
    EXPECT_NEAR(mean, -2, 6 * 0.004);  // standard error 0.00395
}

TEST(DitheredMean, IsTheMeanOfTheRowsAtAnyStride) {
    const DitherFormat format = equalLevels(4, 4, ScaleKind::Largest, 32);
    onEachTarget([&] {
        for (const std::int64_t count : {1, 31, 32, 33, 100}) {
            const std::int64_t buckets = format.buckets(count);
            const std::int64_t words = buckets + planeBytes(count, 4) / 4 + 1;
            std::vector<std::uint32_t> rows(3 * words);
            std::vector<float> expected(count);
            for (int row = 0; row < 3; ++row) {
                auto values = wholeNumbers(count, 1, 7 + row);
                for (std::int64_t i = 0; i < count; ++i) {
                    values[i] *= static_cast<float>(3 << row);
                    expected[i] += values[i] / 3;
                }
                auto* scales = reinterpret_cast<float*>(&rows[row * words]);
                ASSERT_TRUE(dither(format, values.data(), count, kRandom, scales,
                                   &rows[row * words + buckets], {})
                                .ok);
            }
            std::vector<float> mean(count, -99);
            ASSERT_TRUE(ditheredMean(format, {rows.data(), 4 * words, &rows[buckets], 4 * words, 3},
                                     mean.data(), count, {})
                            .ok);
            EXPECT_EQ(mean, expected) << count;
        }
    });
}

TEST(DitheredMean, CorruptedScalesAndLevelsAreRefusedByName) {
    const DitherFormat format = equalLevels(4, 5, ScaleKind::Largest, 32);
    const std::string sentence =
        "bucket 2 of rank 0 is corrupted: its scale must be finite and not negative, its levels at "
        "most 5";
    std::vector<float> mean(70);
    for (const float scale :
         {-1.0F, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
        Dithered corrupt = run(format, normalNumbers(70, 1));
        corrupt.scales[2] = scale;
        EXPECT_EQ(ditheredMean(format, rowsOf(corrupt), mean.data(), 70, {}).message, sentence);
    }
    onEachTarget([&] {
        Dithered corrupt = run(format, normalNumbers(70, 1));
        // Planes of the last six codes: the levels' bits of the first one are 1 1 0.
        corrupt.codes[8] = (corrupt.codes[8] & ~0x1041U) | 0x1040U;
        EXPECT_EQ(ditheredMean(format, rowsOf(corrupt), mean.data(), 70, {}).message, sentence);
    });
    Dithered infinite = run(powersOfTwo(), {1.0F});
    infinite.codes[0] |= 0xFF;
    EXPECT_FALSE(ditheredMean(powersOfTwo(), rowsOf(infinite), mean.data(), 1, {}).ok);
}

}  // namespace
}  // namespace concertina::kernels
