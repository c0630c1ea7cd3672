// SPDX-License-Identifier: Apache-2.0
#include "kernels/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/kernels/inputs.h"

namespace concertina::kernels {
namespace {

/// What the standard says of a pattern with that many exponent and fraction bits; 2^(bias + 1) for
/// infinity, which is where the next number would be.
double valueOf(HalfType type, unsigned pattern) {
    const int fractionBits = type == HalfType::Fp16 ? 10 : 7;
    const int bias = type == HalfType::Fp16 ? 15 : 127;
    const int exponent = static_cast<int>((pattern & 0x7FFFU) >> fractionBits);
    const double fraction = std::ldexp(pattern & ((1U << fractionBits) - 1), -fractionBits);
    const double magnitude =
        std::ldexp(exponent > 0 ? 1 + fraction : fraction, (exponent > 0 ? exponent : 1) - bias);
    return (pattern & 0x8000U) != 0 ? -magnitude : magnitude;
}

unsigned infinityOf(HalfType type) { return type == HalfType::Fp16 ? 0x7C00 : 0x7F80; }

constexpr HalfType kTypes[] = {HalfType::Fp16, HalfType::Bf16};

TEST(Half, EveryPatternHasItsValueAndComesBack) {
    for (const HalfType type : kTypes) {
        for (unsigned pattern = 0; pattern < 65536; ++pattern) {
            const float value = fromHalf(type, static_cast<std::uint16_t>(pattern));
            const unsigned magnitude = pattern & 0x7FFFU;
            if (magnitude > infinityOf(type)) {
                ASSERT_TRUE(std::isnan(value)) << pattern;
                const unsigned quiet = pattern | (type == HalfType::Fp16 ? 0x200U : 0x40U);
                ASSERT_EQ(toHalf(type, value), quiet) << pattern;
                continue;
            }
            if (magnitude == infinityOf(type)) {
                ASSERT_TRUE(std::isinf(value)) << pattern;
            } else {
                ASSERT_EQ(value, valueOf(type, pattern)) << pattern;
            }
            ASSERT_EQ(std::signbit(value), pattern >= 0x8000U) << pattern;
            ASSERT_EQ(toHalf(type, value), pattern);
        }
    }
}

// Between each two neighbours, infinity included: the middle goes to the even one, and what is next
// to the middle to the nearer one.
TEST(Half, RoundsToNearestAndTiesToEven) {
    for (const HalfType type : kTypes) {
        for (unsigned lower = 0; lower < infinityOf(type); ++lower) {
            const double middle = (valueOf(type, lower) + valueOf(type, lower + 1)) / 2;
            const auto tie = static_cast<float>(middle);
            ASSERT_EQ(tie, middle);
            const float infinity = std::numeric_limits<float>::infinity();
            for (const unsigned sign : {0U, 0x8000U}) {
                const float factor = sign != 0 ? -1.0F : 1.0F;
                ASSERT_EQ(toHalf(type, factor * tie), sign | (lower + lower % 2)) << lower;
                ASSERT_EQ(toHalf(type, factor * std::nextafter(tie, 0.0F)), sign | lower);
                ASSERT_EQ(toHalf(type, factor * std::nextafter(tie, infinity)), sign | (lower + 1));
            }
        }
    }
}

TEST(Half, KnownNumbers) {
    EXPECT_EQ(toFp16(1.0F), 0x3C00);
    EXPECT_EQ(toFp16(-2.0F), 0xC000);
    EXPECT_EQ(toFp16(65504.0F), 0x7BFF);
    EXPECT_EQ(toFp16(65519.996F), 0x7BFF);
    EXPECT_EQ(toFp16(65520.0F), 0x7C00);
    EXPECT_EQ(toFp16(std::numeric_limits<float>::max()), 0x7C00);
    EXPECT_EQ(toFp16(0x1p-24F), 0x0001);
    EXPECT_EQ(toFp16(0x1p-25F), 0x0000);
    EXPECT_EQ(toFp16(std::numeric_limits<float>::denorm_min()), 0x0000);
    EXPECT_EQ(toBf16(1.0F), 0x3F80);
    EXPECT_EQ(toBf16(std::numeric_limits<float>::max()), 0x7F80);
    EXPECT_EQ(toBf16(-0.0F), 0x8000);
}

/// Values of every size that a half can have, and of sizes that it cannot.
std::vector<float> awkwardValues(std::int64_t count) {
    auto values = normalNumbers(count, 5);
    for (std::int64_t i = 0; i < count; ++i) {
        values[i] = std::ldexp(values[i], static_cast<int>(i % 151) - 75);
    }
    return values;
}

TEST(Half, NarrowEqualsAScalarLoopAndLeavesWhatItDidNotSend) {
    onEachTarget([] {
        for (const HalfType type : kTypes) {
            for (const int ranks : {1, 2, 3, 64}) {
                for (const std::int64_t count : kAwkwardCounts) {
                    const auto values = awkwardValues(count);
                    auto rest = values;
                    std::vector<std::uint16_t> halves(count + 1, 0xEEEE);
                    ASSERT_TRUE(narrow(rest.data(), count, type, ranks, halves.data(), {}).ok);
                    const auto divisor = static_cast<float>(ranks);
                    const float limit = largestSummand(type, ranks);
                    for (std::int64_t i = 0; i < count; ++i) {
                        ASSERT_EQ(halves[i], narrowed(type, values[i], limit, divisor)) << i;
                        const float sent = divisor * fromHalf(type, halves[i]);
                        ASSERT_EQ(rest[i], values[i] - sent) << values[i];
                        if (std::fabs(values[i]) <= limit) {  // nothing is lost
                            ASSERT_EQ(static_cast<double>(rest[i]) + sent, values[i]);
                        }
                    }
                    ASSERT_EQ(halves[count], 0xEEEE);
                }
            }
        }
    });
}

TEST(Half, EveryPatternIsNarrowedAndWidenedAlikeOnEveryInstructionSet) {
    std::vector<std::uint16_t> all(65536);
    for (unsigned pattern = 0; pattern < 65536; ++pattern) {
        all[pattern] = static_cast<std::uint16_t>(pattern);
    }
    onEachTarget([&] {
        for (const HalfType type : kTypes) {
            std::vector<float> values(65536);
            ASSERT_TRUE(widen(all.data(), 65536, type, values.data(), {}).ok);
            for (unsigned pattern = 0; pattern < 65536; ++pattern) {
                ASSERT_EQ(bitsOf(values[pattern]), bitsOf(fromHalf(type, all[pattern])));
            }
        }
    });
}

TEST(Half, WidenEqualsAScalarLoop) {
    onEachTarget([] {
        for (const std::int64_t count : kAwkwardCounts) {
            const auto values = normalNumbers(count, 6);
            std::vector<std::uint16_t> halves(count);
            for (std::int64_t i = 0; i < count; ++i) {
                halves[i] = toFp16(values[i]);
            }
            std::vector<float> wide(count + 1, -99);
            ASSERT_TRUE(widen(halves.data(), count, HalfType::Fp16, wide.data(), {}).ok);
            for (std::int64_t i = 0; i < count; ++i) {
                ASSERT_EQ(wide[i], fromFp16(halves[i]));
            }
            ASSERT_EQ(wide[count], -99);
        }
    });
}

// Three times 65504 / 3 is 65520 in fp16 sums, which is infinity: without the limit it overflowed.
TEST(Half, TheSumOverRanksOfTheLargestNumbersStaysFinite) {
    EXPECT_EQ(toFp16(fromFp16(toFp16(2 * fromFp16(toFp16(65504.0F / 3)))) +
                     fromFp16(toFp16(65504.0F / 3))),
              0x7C00);
    for (const HalfType type : kTypes) {
        for (int ranks = 1; ranks <= 512; ++ranks) {
            float value = std::numeric_limits<float>::max();
            std::uint16_t share = 0;
            ASSERT_TRUE(narrow(&value, 1, type, ranks, &share, {}).ok);
            std::uint16_t sum = share;
            for (int rank = 1; rank < ranks; ++rank) {
                sum = toHalf(type, fromHalf(type, sum) + fromHalf(type, share));
            }
            ASSERT_LT(sum, infinityOf(type)) << ranks;
        }
    }
    EXPECT_NEAR(largestSummand(HalfType::Fp16, 2), 65440, 1);
    EXPECT_LT(largestSummand(HalfType::Bf16, 1), std::numeric_limits<float>::max());
}

}  // namespace
}  // namespace concertina::kernels
