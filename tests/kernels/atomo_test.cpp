// SPDX-License-Identifier: Apache-2.0
#include "kernels/atomo.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "kernels/sparse_lists.h"
#include "tests/kernels/inputs.h"

namespace concertina::kernels {
namespace {

using testing::Each;
using testing::ElementsAre;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double scaleOf(const std::vector<float>& values, double budget) {
    const auto count = static_cast<std::int64_t>(values.size());
    Norms norms;
    EXPECT_TRUE(measure(values.data(), count, norms, {}).ok);
    double scale = -1;
    EXPECT_TRUE(findDrawScale(values.data(), count, norms, budget, scale, {}).ok);
    return scale;
}

std::vector<double> probabilitiesOf(const std::vector<float>& values, double budget) {
    const double scale = scaleOf(values, budget);
    std::vector<double> probabilities;
    for (const float value : values) {
        probabilities.push_back(drawChance(value, scale) / kWholeChance);
    }
    return probabilities;
}

double sumOf(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

/// The algorithm as the paper prints it (methods.md 4): by sorting, one atom clipped after the
/// other.
std::vector<double> probabilitiesBySorting(const std::vector<float>& values, double budget) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::abs(values[a]) > std::abs(values[b]);
    });
    std::vector<long double> tail(values.size() + 1, 0);  // sums from each place on
    for (std::size_t i = values.size(); i-- > 0;) {
        tail[i] = tail[i + 1] + std::abs(values[order[i]]);
    }
    std::vector<double> probabilities(values.size(), 0);
    long double left = budget;
    for (std::size_t i = 0; i < values.size() && tail[i] > 0; ++i) {
        if (std::abs(values[order[i]]) * left <= tail[i]) {
            for (std::size_t k = i; k < values.size(); ++k) {
                probabilities[order[k]] =
                    static_cast<double>(std::abs(values[order[k]]) * left / tail[i]);
            }
            break;
        }
        probabilities[order[i]] = 1;
        left -= 1;
    }
    return probabilities;
}

void expectThePapersProbabilities(const std::vector<float>& values, double budget) {
    const auto got = probabilitiesOf(values, budget);
    const auto expected = probabilitiesBySorting(values, budget);
    for (std::size_t i = 0; i < values.size(); ++i) {
        // Rounded up to 2^-32, after rounding in fp64.
        ASSERT_GE(got[i], expected[i] - 1e-14) << i << " of " << values.size() << ", " << budget;
        ASSERT_LE(got[i], expected[i] + 0x1p-32 + 1e-14) << i << " of " << values.size();
    }
    const auto atoms = std::count_if(values.begin(), values.end(), [](float x) { return x != 0; });
    const double all = static_cast<double>(atoms);
    EXPECT_NEAR(sumOf(got), std::min(budget, all), all * (0x1p-32 + 1e-14));
}

/// A few values carry nearly all: what makes clipping go on from pass to pass.
std::vector<float> heavyTailed(std::int64_t count) {
    auto values = normalNumbers(count, 5);
    for (float& value : values) {
        value = std::copysign(std::exp(4 * std::abs(value)), value);
    }
    return values;
}

TEST(FindDrawScale, GivesThePapersProbabilitiesAndSpendsTheBudget) {
    onEachTarget([] {
        for (const std::int64_t count : kAwkwardCounts) {
            for (const auto& values :
                 {normalNumbers(count, 1), heavyTailed(count), wholeNumbers(count, 2, 2),
                  std::vector<float>(count, -0.5F)}) {
                const auto all = static_cast<double>(count);
                for (const double budget : {0.3, 1.0, 2.5, all / 10, all / 3, all - 1, all}) {
                    if (budget > 0) {
                        expectThePapersProbabilities(values, budget);
                    }
                }
            }
        }
    });
}

TEST(FindDrawScale, ClipsByHand) {
    // 4 of 8 at budget 3 is clipped; the others share 2 over their sum of 4.
    EXPECT_THAT(probabilitiesOf({4, -2, 1, 0, 1}, 3), ElementsAre(1, 1, 0.5, 0, 0.5));
    // Unclipped: 2 of 8.
    EXPECT_THAT(probabilitiesOf({4, -2, 1, 0, 1}, 2), ElementsAre(1, 0.5, 0.25, 0, 0.25));
    EXPECT_THAT(probabilitiesOf({3}, 0.25), ElementsAre(0.25));
}

// The sum of all is all but blind to the small ones; what is left after clipping must not be taken
// from it.
TEST(FindDrawScale, OneHugeCoefficientDoesNotHideTheOthers) {
    std::vector<float> values(101, 1e-20F);
    values[50] = 1e30F;
    const auto probabilities = probabilitiesOf(values, 51);
    EXPECT_EQ(probabilities[50], 1);
    EXPECT_NEAR(probabilities[0], 0.5, 1e-9);
    EXPECT_NEAR(sumOf(probabilities), 51, 1e-7);
}

TEST(FindDrawScale, ABudgetOfAllAtomsDrawsThemAndNoZero) {
    EXPECT_EQ(scaleOf({1, 2, 3}, 3), kInfinity);
    EXPECT_EQ(scaleOf({1, 2, 3}, 1e9), kInfinity);
    EXPECT_THAT(probabilitiesOf({0, -1e-30F, 0, 5, 0, 7e20F}, 3), ElementsAre(0, 1, 0, 1, 0, 1));
    EXPECT_THAT(probabilitiesOf({0, -1e-30F, 0, 5, 0, 7e20F}, 5.5), ElementsAre(0, 1, 0, 1, 0, 1));
    EXPECT_THAT(probabilitiesOf({0, -0.0F}, 1), Each(0));
    EXPECT_TRUE(probabilitiesOf({}, 1).empty());
}

TEST(FindDrawScale, DenormalsAndTheLargestNumbersAreDrawnInProportion) {
    const float smallest = std::numeric_limits<float>::denorm_min();
    EXPECT_THAT(probabilitiesOf({smallest, 3 * smallest, 4 * smallest}, 2),
                ElementsAre(0.25, 0.75, 1));
    const float large = 0x1p126F;
    EXPECT_THAT(probabilitiesOf({large, 3 * large, -2 * large, 2 * large}, 1),
                ElementsAre(0.125, 0.375, 0.25, 0.25));
}

struct TensorNorms {
    double l1 = 0, l2 = 0, largest = 0;
};

TensorNorms normsOf(const std::vector<float>& values) {
    TensorNorms norms;
    for (const double value : values) {
        norms.l1 += std::abs(value);
        norms.l2 += value * value;
        norms.largest = std::max(norms.largest, std::abs(value));
    }
    norms.l2 = std::sqrt(norms.l2);
    return norms;
}

// Wang et al.: 1-bit QSGD rounds |g_i| / ||g||_2 up with that probability, TernGrad
// |g_i| / ||g||_inf; what is decoded is the norm, with the sign.
TEST(FindDrawScale, OneBitQsgdAndTernGradAreTwoOfItsBudgets) {
    const auto values = normalNumbers(10000, 3);
    const TensorNorms norms = normsOf(values);
    for (const double norm : {norms.l2, norms.largest}) {
        const double scale = scaleOf(values, norms.l1 / norm);
        for (const float value : values) {
            const double probability = drawChance(value, scale) / kWholeChance;
            ASSERT_NEAR(probability, std::abs(value) / norm, 0x1p-32 + 1e-12);
            // The probability's rounding up weighs more the smaller it is.
            const double expected = std::copysign(norm, value);
            ASSERT_NEAR(drawnCoefficient(value, scale), expected,
                        norm * (0x1p-24 + 0x1p-32 / probability + 1e-12));
        }
    }
}

// sum of lambda^2 (1/p - 1), which the estimate varies by, where nothing is clipped.
TEST(FindDrawScale, TheVarianceIsTheOptimumOfThePaper) {
    const auto values = normalNumbers(1000, 4);
    const TensorNorms norms = normsOf(values);
    const double budget = 50;
    ASSERT_LE(norms.largest * budget, norms.l1);  // "s-balanced"
    double variance = 0;
    const auto probabilities = probabilitiesOf(values, budget);
    for (std::size_t i = 0; i < values.size(); ++i) {
        variance += double{values[i]} * values[i] * (1 / probabilities[i] - 1);
    }
    const double optimum = norms.l1 * norms.l1 / budget - norms.l2 * norms.l2;
    EXPECT_NEAR(variance, optimum, 1e-6 * optimum);
}

TEST(SumUpTo, EveryInstructionSetGivesTheSameBitsAndAScalarLoopTheSameCount) {
    for (const std::int64_t count : kAwkwardCounts) {
        const auto values = normalNumbers(count, 6);
        double below = 0;
        std::int64_t above = 0;
        for (const float value : values) {
            above += std::abs(value) > 0.75F ? 1 : 0;
            below += std::abs(value) > 0.75F ? 0 : std::abs(value);
        }
        std::vector<double> sums;
        onEachTarget([&] {
            ClipSums got;
            ASSERT_TRUE(sumUpTo(values.data(), count, 0.75F, got, {}).ok);
            EXPECT_EQ(got.above, above);
            EXPECT_NEAR(got.below, below, 1e-12 * (1 + below));
            sums.push_back(got.below);
        });
        EXPECT_THAT(sums, Each(sums.front()));
    }
}

struct Draw {
    std::vector<std::int32_t> words;  // of the message
    std::vector<float> sent, residual;
};

Draw drawFrom(const std::vector<float>& values, double scale, const PhiloxStream& random) {
    const auto count = static_cast<std::int64_t>(values.size());
    Draw got{std::vector<std::int32_t>(count, -1), std::vector<float>(count, 0), values};
    std::int64_t bytes = -1;
    EXPECT_TRUE(
        drawEntries(got.residual.data(), count, scale, random, got.words.data(), bytes, {}).ok);
    SparseList list{};
    EXPECT_TRUE(readSparseMessage(got.words.data(), bytes, count, 0, list).ok);
    EXPECT_TRUE(scatterMean(&list, 1, got.sent.data(), count, {}).ok);
    got.words.resize(static_cast<std::size_t>(bytes / 4));
    return got;
}

const PhiloxStream kRandom{{{7, 8}}, {1, 2, 3}};

TEST(DrawEntries, EqualsAScalarLoopInBothForms) {
    onEachTarget([] {
        for (const std::int64_t count : kAwkwardCounts) {
            const auto values = normalNumbers(count, 1);
            for (const double share : {1e-9, 0.01, 0.3, 0.49, 0.7, 1.0}) {
                const double scale = scaleOf(values, share * static_cast<double>(count) + 1e-9);
                const Draw got = drawFrom(values, scale, kRandom);
                std::int64_t drawn = 0;
                for (std::int64_t i = 0; i < count; ++i) {
                    const bool isChosen = isDrawn(values[i], scale, kRandom.word(i));
                    const float sent = isChosen ? drawnCoefficient(values[i], scale) : 0;
                    drawn += isChosen ? 1 : 0;
                    ASSERT_EQ(got.sent[i], sent) << i << " of " << count << ", " << share;
                    ASSERT_EQ(got.residual[i], values[i] - sent) << i << " of " << count;
                }
                EXPECT_EQ(got.words.size(), std::min(2 * drawn, count));
            }
        }
    });
}

TEST(DrawEntries, AListIsIndicesThenCoefficientsAndHalfOfAllIsDense) {
    const Draw list = drawFrom({0, 0, -2, 0, 0, 0.5F}, kInfinity, kRandom);
    ASSERT_EQ(list.words.size(), 4U);
    EXPECT_EQ(list.words[0], 2);
    EXPECT_EQ(list.words[1], 5);
    EXPECT_THAT(list.sent, ElementsAre(0, 0, -2, 0, 0, 0.5F));
    EXPECT_THAT(list.residual, Each(0));
    const Draw dense = drawFrom({0, 0, -2, 0.5F}, kInfinity, kRandom);
    EXPECT_EQ(dense.words.size(), 4U);
    EXPECT_EQ(dense.words[0], 0);
    EXPECT_THAT(dense.sent, ElementsAre(0, 0, -2, 0.5F));
}

TEST(DrawEntries, ZerosAndNothingAreAnEmptyMessage) {
    EXPECT_TRUE(drawFrom({0, 0, -0.0F}, kInfinity, kRandom).words.empty());
    EXPECT_TRUE(drawFrom({}, kInfinity, kRandom).words.empty());
    EXPECT_TRUE(drawFrom({0}, 1, kRandom).words.empty());
}

/// Of 4,000 draws of 200 normal numbers with 20 expected.
struct DrawStatistics {
    std::vector<double> mean = std::vector<double>(200), deviation = mean;  // of each element
    double drawn = 0, error = 0, errorDeviation = 0;  // means over draws; error: squared, over all
};

constexpr int kDraws = 4000;

DrawStatistics statisticsOf(const std::vector<float>& values, double scale) {
    DrawStatistics got;
    double errorSquares = 0;
    for (std::uint32_t draw = 0; draw < kDraws; ++draw) {
        const Draw one = drawFrom(values, scale, {{{9, 9}}, {0, draw, 0}});
        double error = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            got.mean[i] += one.sent[i] / kDraws;
            got.deviation[i] += double{one.sent[i]} * one.sent[i] / kDraws;
            error += double{one.residual[i]} * one.residual[i];
            got.drawn += one.sent[i] != 0 ? 1.0 / kDraws : 0;
        }
        got.error += error / kDraws;
        errorSquares += error * error / kDraws;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        got.deviation[i] = std::sqrt(std::max(0.0, got.deviation[i] - got.mean[i] * got.mean[i]));
    }
    got.errorDeviation = std::sqrt(errorSquares - got.error * got.error);
    return got;
}

// Each of the 202 comparisons is with 5 standard errors of a mean over 4,000 draws: a false alarm
// in 1 of 8,000 seeds.
TEST(DrawEntries, IsUnbiasedWithTheVarianceAndNumberThatWereAskedFor) {
    const auto values = normalNumbers(200, 8);
    const TensorNorms norms = normsOf(values);
    const double budget = 20;
    ASSERT_LE(norms.largest * budget, norms.l1);
    const DrawStatistics got = statisticsOf(values, scaleOf(values, budget));
    const double draws = std::sqrt(static_cast<double>(kDraws));
    for (std::size_t i = 0; i < values.size(); ++i) {
        // A rare element may not have been drawn at all: then its own deviation says nothing.
        const double p = std::abs(values[i]) * budget / norms.l1;
        const double deviation = std::abs(values[i]) * std::sqrt((1 - p) / p);
        EXPECT_NEAR(got.mean[i], values[i], 5 * std::max(deviation, got.deviation[i]) / draws) << i;
    }
    const double variance = norms.l1 * norms.l1 / budget - norms.l2 * norms.l2;
    EXPECT_NEAR(got.error, variance, 5 * got.errorDeviation / draws);
    EXPECT_NEAR(got.drawn, budget, 5 * std::sqrt(budget) / draws);
}

}  // namespace
}  // namespace concertina::kernels
