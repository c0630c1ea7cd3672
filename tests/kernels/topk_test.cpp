// SPDX-License-Identifier: Apache-2.0
#include "kernels/topk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
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

/// Of all parts together.
float magnitudeBySorting(const std::vector<std::vector<float>>& parts, std::int64_t wanted) {
    std::vector<float> all;
    for (const auto& part : parts) {
        for (const float value : part) {
            all.push_back(std::abs(value));
        }
    }
    std::sort(all.begin(), all.end(), std::greater<>());
    return all[wanted - 1];
}

void expectMagnitude(const std::vector<std::vector<float>>& parts) {
    std::vector<MagnitudePart> views;
    std::int64_t count = 0;
    for (const auto& part : parts) {
        views.push_back({part.data(), static_cast<std::int64_t>(part.size())});
        count += views.back().count;
    }
    for (const std::int64_t wanted : {std::int64_t{1}, count / 100, count / 3, count}) {
        if (wanted > 0) {
            float magnitude = -1;
            ASSERT_TRUE(
                findMagnitude(views.data(), static_cast<int>(views.size()), wanted, magnitude, {})
                    .ok);
            EXPECT_EQ(magnitude, magnitudeBySorting(parts, wanted)) << wanted << " of " << count;
        }
    }
}

TEST(FindMagnitude, OfSeveralPartsIsThatOfThemTogether) {
    onEachTarget([] {
        expectMagnitude({{-3}});
        expectMagnitude({{1, -3}, {}, {2}});
        expectMagnitude({wholeNumbers(1000, 2, 1), {-0.0F}, wholeNumbers(7, 2, 2)});
        expectMagnitude({normalNumbers(100000, 1), {100}, normalNumbers(40000, 2)});
        expectMagnitude({std::vector<float>(70000, 0.0F), normalNumbers(3, 2)});
    });
}

}  // namespace
}  // namespace concertina::kernels
