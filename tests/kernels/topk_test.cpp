// SPDX-License-Identifier: Apache-2.0
#include "kernels/topk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "tests/kernels/inputs.h"

namespace concertina::kernels {
namespace {

using testing::ElementsAre;

struct Selected {
    std::vector<std::int32_t> indices;
    std::vector<float> values, residual;
};

Selected select(std::vector<float> values, std::int64_t kept) {
    Selected got{std::vector<std::int32_t>(kept, -1), std::vector<float>(kept, -99), {}};
    const auto count = static_cast<std::int64_t>(values.size());
    EXPECT_TRUE(
        selectTopk(values.data(), count, kept, got.indices.data(), got.values.data(), {}).ok);
    got.residual = std::move(values);
    return got;
}

/// By sorting: larger magnitude first, then lower index.
Selected selectBySorting(const std::vector<float>& values, std::int64_t kept) {
    Selected expected{std::vector<std::int32_t>(values.size()), {}, values};
    std::iota(expected.indices.begin(), expected.indices.end(), 0);
    std::stable_sort(expected.indices.begin(), expected.indices.end(),
                     [&](auto a, auto b) { return std::abs(values[a]) > std::abs(values[b]); });
    expected.indices.resize(kept);
    std::sort(expected.indices.begin(), expected.indices.end());
    for (const std::int32_t index : expected.indices) {
        expected.values.push_back(values[index]);
        expected.residual[index] = 0;
    }
    return expected;
}

void expectEqualToSorting(const std::vector<float>& values, std::int64_t kept) {
    const Selected got = select(values, kept);
    const Selected expected = selectBySorting(values, kept);
    EXPECT_EQ(got.indices, expected.indices) << kept << " of " << values.size();
    EXPECT_EQ(got.values, expected.values);
    EXPECT_EQ(got.residual, expected.residual);
}

void checkAllCounts(std::vector<float> (*make)(std::int64_t count)) {
    onEachTarget([make] {
        for (const std::int64_t count : kAwkwardCounts) {
            const auto values = make(count);
            for (const std::int64_t kept :
                 {std::int64_t{0}, std::int64_t{1}, count / 100, count / 3, count - 1, count}) {
                if (kept >= 0 && kept <= count) {
                    expectEqualToSorting(values, kept);
                }
            }
        }
    });
}

TEST(SelectTopk, EqualsSortingForNormalNumbers) {
    checkAllCounts([](std::int64_t count) { return normalNumbers(count, 1); });
}

TEST(SelectTopk, EqualsSortingWhereMostAreTied) {
    checkAllCounts([](std::int64_t count) { return wholeNumbers(count, 2, 2); });
}

TEST(SelectTopk, EqualsSortingWhereAllAreTied) {
    checkAllCounts([](std::int64_t count) { return std::vector<float>(count, -0.5F); });
}

TEST(SelectTopk, EqualsSortingForZeros) {
    checkAllCounts([](std::int64_t count) { return std::vector<float>(count, 0.0F); });
}

TEST(SelectTopk, EqualsSortingForDenormals) {
    checkAllCounts([](std::int64_t count) {
        auto values = wholeNumbers(count, 1000, 3);
        for (float& value : values) {
            value *= std::numeric_limits<float>::denorm_min();
        }
        return values;
    });
}

// The sample that guesses where to start counting sees blocks 0, 64, 128, ...: here they hold
// nothing but the largest, so the guess is too high and the search starts again.
TEST(SelectTopk, ASampleThatMisleadsCostsNoExactness) {
    auto values = normalNumbers(1 << 17, 4);
    for (std::size_t i = 0; i < values.size(); i += 512) {
        std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(i), 8, 1000.0F);
    }
    expectEqualToSorting(values, 5000);
}

TEST(SelectTopk, OfEqualMagnitudesTheLowestIndicesAreKept) {
    const Selected got = select({1, -3, 3, -3, 2, 3}, 3);
    EXPECT_THAT(got.indices, ElementsAre(1, 2, 3));
    EXPECT_THAT(got.values, ElementsAre(-3, 3, -3));
    EXPECT_THAT(got.residual, ElementsAre(1, 0, 0, 0, 2, 3));
}

TEST(SelectTopk, NegativeZeroTiesWithZeroAndKeepsItsSign) {
    const Selected got = select({0.0F, -0.0F, 0.0F}, 2);
    EXPECT_THAT(got.indices, ElementsAre(0, 1));
    EXPECT_TRUE(std::signbit(got.values[1]));
    EXPECT_FALSE(std::signbit(got.residual[1]));
}

TEST(SelectTopk, InfinitiesAreLargestAndNansLargerStill) {
    const float infinity = std::numeric_limits<float>::infinity();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THAT(select({1, -infinity, std::numeric_limits<float>::max()}, 1).indices,
                ElementsAre(1));
    EXPECT_THAT(select({1, infinity, nan, 2}, 1).indices, ElementsAre(2));
}

/// One list: indices, then values, as in a payload.
std::vector<std::int32_t> listOf(const std::vector<std::int32_t>& indices,
                                 const std::vector<float>& values) {
    std::vector<std::int32_t> words(indices);
    for (const float value : values) {
        std::int32_t bits;
        std::memcpy(&bits, &value, sizeof(bits));
        words.push_back(bits);
    }
    return words;
}

TEST(ScatterMean, AddsTheListsAndDividesByTheirNumber) {
    auto words = listOf({0, 3}, {2, 8});
    words.push_back(-1);  // rows may lie further apart than they are long
    const auto second = listOf({3, 4}, {4, -6});
    words.insert(words.end(), second.begin(), second.end());
    std::vector<float> mean(6, -99);
    ASSERT_TRUE(scatterMean({words.data(), 20, 2, 2}, mean.data(), 6, {}).ok);
    EXPECT_THAT(mean, ElementsAre(1, 0, 0, 6, -3, 0));
}

TEST(ScatterMean, AnIndexOutsideTheTensorIsRefusedByName) {
    for (const std::int32_t bad : {6, -1, std::numeric_limits<std::int32_t>::max(),
                                   std::numeric_limits<std::int32_t>::min()}) {
        auto words = listOf({0, 1}, {1, 1});
        const auto second = listOf({2, bad}, {1, 1});
        words.insert(words.end(), second.begin(), second.end());
        std::vector<float> mean(6, 0);
        const KernelStatus status = scatterMean({words.data(), 16, 2, 2}, mean.data(), 6, {});
        EXPECT_FALSE(status.ok);
        EXPECT_EQ(status.message, "the sparse list of rank 1 names element " + std::to_string(bad) +
                                      " at position 1, but the tensor has elements 0 to 5");
    }
}

}  // namespace
}  // namespace concertina::kernels
