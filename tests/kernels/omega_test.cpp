// SPDX-License-Identifier: Apache-2.0
#include "kernels/omega.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace concertina::kernels {
namespace {

std::string textOf(OmegaCode code) {
    std::string text;
    for (int i = code.length - 1; i >= 0; --i) {
        text += (code.bits >> i & 1U) != 0 ? '1' : '0';
    }
    return text;
}

// Elias 1975, table of the omega code.
TEST(Omega, CodesAreThePublishedOnes) {
    EXPECT_EQ(textOf(omegaCode(1)), "0");
    EXPECT_EQ(textOf(omegaCode(2)), "100");
    EXPECT_EQ(textOf(omegaCode(3)), "110");
    EXPECT_EQ(textOf(omegaCode(4)), "101000");
    EXPECT_EQ(textOf(omegaCode(7)), "101110");
    EXPECT_EQ(textOf(omegaCode(8)), "1110000");
    EXPECT_EQ(textOf(omegaCode(16)), "10100100000");
    EXPECT_EQ(textOf(omegaCode(100)), "1011011001000");
}

/// len(1) = 1, len(k) = bits(k) + len(bits(k) - 1).
int lengthByRecursion(std::uint32_t number) {
    int digits = 0;
    for (std::uint32_t left = number; left != 0; left >>= 1) {
        ++digits;
    }
    return number == 1 ? 1 : digits + lengthByRecursion(digits - 1);
}

TEST(Omega, LengthsFollowTheRecursionAndCodesAreReadBack) {
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t number = 1; number < 5000; ++number) {
        numbers.push_back(number);
    }
    for (int digits = 13; digits <= 31; ++digits) {
        numbers.insert(numbers.end(),
                       {1U << (digits - 1), (1U << (digits - 1)) + 12345 % digits,
                        static_cast<std::uint32_t>((std::uint64_t{1} << digits) - 1)});
    }
    std::vector<std::uint32_t> words(2 * numbers.size());
    BitWriter writer(words.data());
    std::int64_t bits = 0;
    for (const std::uint32_t number : numbers) {
        ASSERT_EQ(omegaCode(number).length, lengthByRecursion(number)) << number;
        writer.putOmega(number);
        bits += omegaCode(number).length;
    }
    writer.finish();
    BitReader reader(words.data(), (bits + 31) / 32);
    for (const std::uint32_t number : numbers) {
        ASSERT_EQ(reader.takeOmega(), number);
    }
    EXPECT_TRUE(reader.isAtEnd());
}

}  // namespace
}  // namespace concertina::kernels
