// SPDX-License-Identifier: Apache-2.0
#include "kernels/philox.h"

#include "kernels/cpu/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/kernels/philox_test.cpp"
#include "hwy/foreach_target.h"
#include "kernels/cpu/philox-inl.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/kernels/inputs.h"

HWY_BEFORE_NAMESPACE();
namespace concertina::kernels::HWY_NAMESPACE {

void drawChunk(const PhiloxStream& stream, std::int64_t chunk, std::uint32_t* words) {
    WordVector vectors[kVectors];
    PhiloxWords(stream).draw(chunk, vectors);
    for (int i = 0; i < kVectors; ++i) {
        hn::StoreU(vectors[i], BitsTag(), words + i * kFloatWidth);
    }
}

}  // namespace concertina::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace concertina::kernels {
HWY_EXPORT(drawChunk);

namespace {

using testing::ElementsAre;

// The known-answer vectors that Random123 publishes for philox4x32-10.
TEST(Philox, GivesThePublishedAnswers) {
    EXPECT_THAT(philox({{0, 0, 0, 0}}, {{0, 0}}).word,
                ElementsAre(0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8));
    const std::uint32_t ones = 0xffffffff;
    EXPECT_THAT(philox({{ones, ones, ones, ones}}, {{ones, ones}}).word,
                ElementsAre(0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd));
    EXPECT_THAT(
        philox({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, {{0xa4093822, 0x299f31d0}}).word,
        ElementsAre(0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1));
}

TEST(Philox, AStreamsWordsAreItsBlocksInOrder) {
    const PhiloxStream stream{{{5, 6}}, {7, 8, 9}};
    const PhiloxBlock block = philox({{3, 7, 8, 9}}, {{5, 6}});
    for (int i = 0; i < 4; ++i) {
        EXPECT_EQ(stream.word(12 + i), block.word[i]);
    }
}

// The last chunk's blocks have numbers up to 2^32 - 1, as far as a stream goes.
TEST(Philox, VectorsDrawTheSameWords) {
    const PhiloxStream stream{{{0xFFFFFFF0, 6}}, {7, 0xFFFFFFFF, 9}};
    onEachTarget([&] {
        for (const std::int64_t chunk : {0, 1, 2, 1000, (1 << 29) - 1}) {
            std::vector<std::uint32_t> words(32);
            HWY_DYNAMIC_DISPATCH(drawChunk)(stream, chunk, words.data());
            for (std::uint64_t i = 0; i < 32; ++i) {
                ASSERT_EQ(words[i], stream.word(32 * static_cast<std::uint64_t>(chunk) + i))
                    << "word " << i << " of chunk " << chunk;
            }
        }
    });
}

TEST(Philox, UniformNumbersStayInsideTheUnitInterval) {
    EXPECT_DOUBLE_EQ(uniformFromBits(0), 0x1p-33);
    EXPECT_DOUBLE_EQ(uniformFromBits(0xffffffff), 1 - 0x1p-33);
    EXPECT_DOUBLE_EQ(uniformFromBits(0x80000000), 0.5 + 0x1p-33);
}

// 100,000 draws: the standard error of the mean is 0.0032, that of the variance 0.0045.
TEST(Philox, NormalNumbersHaveMeanZeroAndVarianceOne) {
    const PhiloxStream stream{{{1, 2}}, {0, 0, 0}};
    double sum = 0;
    double squares = 0;
    for (std::uint64_t i = 0; i < 50000; ++i) {
        const NormalPair pair = normalFromBits(stream.word(2 * i), stream.word(2 * i + 1));
        sum += pair.first + pair.second;
        squares += pair.first * pair.first + pair.second * pair.second;
    }
    EXPECT_NEAR(sum / 100000, 0, 0.013);
    EXPECT_NEAR(squares / 100000, 1, 0.018);
}

}  // namespace
}  // namespace concertina::kernels
#endif
