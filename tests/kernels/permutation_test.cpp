// SPDX-License-Identifier: Apache-2.0
#include "kernels/permutation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

namespace concertina::kernels {
namespace {

PhiloxStream streamOf(std::uint32_t draw) { return {{{17, 4}}, {draw, 0, 0}}; }

TEST(RandomPermutation, IsABijection) {
    std::vector<std::uint64_t> counts{1000, 4095, 4096, 4097, 65537, 1000003};
    for (std::uint64_t count = 1; count <= 70; ++count) {
        counts.push_back(count);
    }
    for (const std::uint64_t count : counts) {
        const RandomPermutation permutation(count, streamOf(static_cast<std::uint32_t>(count)));
        std::vector<bool> met(count);
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::uint64_t place = permutation.at(i);
            ASSERT_LT(place, count) << i;
            ASSERT_FALSE(met[place]) << place << " twice among " << count;
            met[place] = true;
        }
    }
}

TEST(RandomPermutation, VeryLargeOnesStayInsideAndDiffer) {
    const std::uint64_t count = (std::uint64_t{1} << 62) - 12345;
    const RandomPermutation permutation(count, streamOf(0));
    std::uint64_t largest = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        ASSERT_LT(permutation.at(count - 1 - i), count);
        ASSERT_NE(permutation.at(i), permutation.at(i + 1));
        largest = std::max(largest, permutation.at(i));
    }
    EXPECT_GT(largest, count / 2);  // false alarm: 2^-1000
}

TEST(RandomPermutation, OtherDrawsAreOtherOrders) {
    const RandomPermutation first(1000, streamOf(1));
    const RandomPermutation second(1000, streamOf(2));
    int equal = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        equal += first.at(i) == second.at(i);
    }
    EXPECT_LE(equal, 12);  // one on the average; more than 12: one in 10^10 (Poisson)
}

/// What chi-square with that many degrees of freedom exceeds once in a million (Wilson and Hilferty
/// 1931).
double chiSquareLimit(double freedom) {
    const double spread = 2 / (9 * freedom);
    return freedom * std::pow(1 - spread + 4.753 * std::sqrt(spread), 3);
}

/// Draws `draws` permutations of `count` and counts the cell each falls into.
void expectUniform(std::uint64_t count,
                   std::size_t cells,
                   const std::function<std::size_t(const RandomPermutation&)>& cellOf) {
    const double expected = 500;
    std::vector<double> met(cells);
    for (std::uint32_t draw = 0; draw < 500 * cells; ++draw) {
        ++met[cellOf(RandomPermutation(count, streamOf(draw)))];
    }
    double chiSquare = 0;
    for (const double times : met) {
        chiSquare += (times - expected) * (times - expected) / expected;
    }
    EXPECT_LT(chiSquare, chiSquareLimit(static_cast<double>(cells - 1))) << count;
}

// False alarms: one in a million for each of these cases, with a fixed seed.
TEST(RandomPermutation, EveryPlaceIsEquallyLikely) {
    for (const std::uint64_t count : {2, 3, 5, 8, 17, 64, 100}) {
        for (const std::uint64_t index : {std::uint64_t{0}, count / 2, count - 1}) {
            expectUniform(count, count,
                          [index](const RandomPermutation& p) { return p.at(index); });
        }
    }
}

TEST(RandomPermutation, PairsAreEquallyLikely) {
    for (const std::uint64_t count : {5, 8, 12}) {
        expectUniform(count, count * (count - 1), [count](const RandomPermutation& p) {
            const std::uint64_t second = p.at(1) < p.at(0) ? p.at(1) : p.at(1) - 1;
            return p.at(0) * (count - 1) + second;
        });
    }
}

}  // namespace
}  // namespace concertina::kernels
