// SPDX-License-Identifier: Apache-2.0
#include "kernels/bit_planes.h"

#include <gtest/gtest.h>

#include <vector>

#include "kernels/philox.h"

namespace concertina::kernels {
namespace {

TEST(BitPlanes, BytesAreTheBitsRoundedUpToWords) {
    EXPECT_EQ(planeBytes(0, 4), 0);
    EXPECT_EQ(planeBytes(1, 2), 4);
    EXPECT_EQ(planeBytes(16, 2), 4);
    EXPECT_EQ(planeBytes(17, 2), 8);
    EXPECT_EQ(planeBytes(512, 4), 256);
    EXPECT_EQ(planeBytes(11173962, 9), 12570708);  // 100,565,658 bits are 3,142,677 words
    EXPECT_EQ(planeBytes(std::int64_t{1} << 33, 8), std::int64_t{1} << 33);
}

// Codes 1, 2, 3 of 2 bits: low bits 1, 0, 1, then high bits 0, 1, 1.
TEST(BitPlanes, AFewCodesByHand) {
    const std::uint32_t planes[] = {0b101, 0b110};
    std::uint32_t word = 99;
    putPlanes(planes, 2, 3, &word);
    EXPECT_EQ(word, 0b110101U);
    EXPECT_EQ(planeOf(&word, 0, 3), 0b101U);
    EXPECT_EQ(planeOf(&word, 1, 3), 0b110U);
}

TEST(BitPlanes, EveryCountAndWidthComesBackAndStaysInItsWords) {
    const PhiloxStream random{{{1, 2}}, {3, 4, 5}};
    for (int bits = 1; bits <= 16; ++bits) {
        for (int count = 1; count <= kPlaneCodes; ++count) {
            std::vector<std::uint32_t> planes(bits);
            for (int plane = 0; plane < bits; ++plane) {
                planes[plane] = random.word(plane) >> (32 - count);
            }
            std::vector<std::uint32_t> words(planeBytes(count, bits) / 4 + 1, 0xEEEEEEEE);
            putPlanes(planes.data(), bits, count, words.data());
            EXPECT_EQ(words.back(), 0xEEEEEEEE) << bits << " bits, " << count;
            for (int plane = 0; plane < bits; ++plane) {
                ASSERT_EQ(planeOf(words.data(), plane, count), planes[plane])
                    << bits << " bits, " << count << ", plane " << plane;
            }
        }
    }
}

}  // namespace
}  // namespace concertina::kernels
