// SPDX-License-Identifier: Apache-2.0
#include "kernels/elias_fano.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "kernels/philox.h"

namespace concertina::kernels {
namespace {

using testing::ElementsAre;

std::vector<std::uint32_t> pack(const std::vector<std::int32_t>& indices, std::int64_t count) {
    const EliasFano form = eliasFanoOf(static_cast<std::int64_t>(indices.size()), count);
    std::vector<std::uint32_t> words(form.bytes() / 4, 0xEEEEEEEE);
    EXPECT_TRUE(packIndices(indices.data(), form, words.data(), {}).ok);
    return words;
}

KernelStatus unpack(const std::vector<std::uint32_t>& words,
                    std::int64_t count,
                    std::vector<std::int32_t>& indices) {
    const EliasFano form = eliasFanoOf(static_cast<std::int64_t>(indices.size()), count);
    EXPECT_EQ(form.bytes(), static_cast<std::int64_t>(4 * words.size()));
    return unpackIndices(words.data(), form, 2, indices.data(), {});
}

void expectRoundTrip(const std::vector<std::int32_t>& indices, std::int64_t count) {
    std::vector<std::int32_t> got(indices.size(), -99);
    EXPECT_TRUE(unpack(pack(indices, count), count, got).ok);
    EXPECT_EQ(got, indices) << indices.size() << " of " << count;
}

// 3 of 16: floor(log2(16 / 3)) = 2 lower bits each, 01 10 11 from the lowest bit on; the upper
// parts 0, 1, 3 set bits 0, 2 and 5.
TEST(EliasFano, ByHand) {
    EXPECT_THAT(pack({1, 6, 15}, 16), ElementsAre(0b11'10'01, 0b100101));
    EXPECT_EQ(eliasFanoOf(3, 16).lowBits, 2);
    expectRoundTrip({1, 6, 15}, 16);
}

TEST(EliasFano, ChoosesTheLogarithmOfTheMeanGap) {
    EXPECT_EQ(eliasFanoOf(1, 1).lowBits, 0);
    EXPECT_EQ(eliasFanoOf(2, 3).lowBits, 0);
    EXPECT_EQ(eliasFanoOf(2, 4).lowBits, 1);
    EXPECT_EQ(eliasFanoOf(1, 1023).lowBits, 9);
    EXPECT_EQ(eliasFanoOf(1, 1024).lowBits, 10);
    EXPECT_EQ(eliasFanoOf(1, 2147483647).lowBits, 30);
    // 111740 of 11173962: 6 lower bits, 111740 + 174593 bits of bitmap.
    EXPECT_EQ(eliasFanoOf(111740, 11173962).bytes(), 4 * (20952 + 8948));
}

TEST(EliasFano, GivesTheIndicesBack) {
    expectRoundTrip({0}, 1);
    expectRoundTrip({0}, 2);
    expectRoundTrip({1}, 2);
    expectRoundTrip({0, 1}, 2);
    expectRoundTrip({0}, 2147483647);
    expectRoundTrip({2147483646}, 2147483647);
    expectRoundTrip({0, 2147483645, 2147483646}, 2147483647);
    std::vector<std::int32_t> all(1000);
    std::iota(all.begin(), all.end(), 0);
    expectRoundTrip(all, 1000);
    expectRoundTrip(all, 1000000);  // all at the front
    for (std::int32_t& index : all) {
        index += 999000;
    }
    expectRoundTrip(all, 1000000);  // all at the end
    const PhiloxStream stream{{{5, 6}}, {0, 0, 0}};
    for (const std::uint32_t oneIn : {2, 3, 10, 31, 100, 1000}) {
        std::vector<std::int32_t> drawn;
        for (std::int32_t i = 0; i < 100000; ++i) {
            if (stream.word(i) % oneIn == 0) {
                drawn.push_back(i);
            }
        }
        expectRoundTrip(drawn, 100000);
    }
}

// log2(n choose k) / k, by Stirling's formula, is the optimum for indices drawn at random.
TEST(EliasFano, IsCloseToTheOptimum) {
    const double count = 11173962;
    for (const double ratio : {0.1, 0.01, 0.001}) {
        const auto kept = static_cast<std::int64_t>(ratio * count);
        const double optimum =
            (-ratio * std::log2(ratio) - (1 - ratio) * std::log2(1 - ratio)) / ratio;
        const EliasFano form = eliasFanoOf(kept, static_cast<std::int64_t>(count));
        const double bits = 8.0 * static_cast<double>(form.bytes()) / static_cast<double>(kept);
        EXPECT_GT(bits, optimum) << ratio;
        EXPECT_LT(bits, optimum + 0.6) << ratio;
    }
}

TEST(EliasFano, ABitmapWithTheWrongNumberOfOnesIsRefused) {
    std::vector<std::int32_t> got(3);
    auto words = pack({1, 6, 15}, 16);
    words[1] |= 0x80000000U;
    EXPECT_EQ(unpack(words, 16, got).message,
              "the index bitmap of rank 2 has 4 bits set, but stands for 3 elements");
    words[1] = 0;
    EXPECT_EQ(unpack(words, 16, got).message,
              "the index bitmap of rank 2 has 0 bits set, but stands for 3 elements");
}

// What no list of this form can be is left to scatterMean; nothing wraps around on the way.
TEST(EliasFano, ABitTooFarOutIsNoElement) {
    std::vector<std::int32_t> got(1);
    auto words = pack({5}, 2147483647);
    ASSERT_EQ(words.size(), 2U);
    words[1] = 1U << 4;  // 4 * 2^30 is 2^32
    EXPECT_TRUE(unpack(words, 2147483647, got).ok);
    EXPECT_EQ(got[0], -1);
}

}  // namespace
}  // namespace concertina::kernels
