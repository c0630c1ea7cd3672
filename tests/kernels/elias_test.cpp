// SPDX-License-Identifier: Apache-2.0
#include "kernels/elias.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "kernels/elias_bucket.h"
#include "tests/kernels/inputs.h"

namespace concertina::kernels {
namespace {

using testing::ElementsAre;

const PhiloxStream kRandom{{{11, 12}}, {13, 14, 15}};

/// len(1) = 1, len(k) = bits(k) + len(bits(k) - 1).
int lengthByRecursion(std::uint32_t number) {
    int digits = 0;
    for (std::uint32_t left = number; left != 0; left >>= 1) {
        ++digits;
    }
    return number == 1 ? 1 : digits + lengthByRecursion(digits - 1);
}

struct Message {
    std::vector<std::uint32_t> words;
    std::vector<float> residual;
};

Message encode(const DitherFormat& format, std::vector<float> values) {
    const auto count = static_cast<std::int64_t>(values.size());
    std::vector<float> scales(format.buckets(count));
    std::vector<std::uint32_t> codes(count);
    EXPECT_TRUE(
        ditherUnpacked(format, values.data(), count, kRandom, scales.data(), codes.data(), {}).ok);
    Message message{std::vector<std::uint32_t>(eliasCapacityBytes(format, count) / 4 + 1, 0xEEEE),
                    std::move(values)};
    std::int64_t bytes = -1;
    EXPECT_TRUE(
        encodeElias(format, codes.data(), scales.data(), count, message.words.data(), bytes, {})
            .ok);
    EXPECT_LE(bytes, eliasCapacityBytes(format, count));
    EXPECT_EQ(message.words.back(), 0xEEEEU);
    message.words.resize(bytes / 4);
    return message;
}

KernelStatus decode(const DitherFormat& format,
                    const std::vector<std::uint32_t>& words,
                    std::vector<float>& mean) {
    const std::int64_t bytes = 4 * static_cast<std::int64_t>(words.size());
    return eliasMean(format, {words.data(), 0, &bytes, 1}, mean.data(),
                     static_cast<std::int64_t>(mean.size()), {});
}

const DitherFormat kFourSteps = equalLevels(4, 4, ScaleKind::Largest, 32);

// Levels 0 0 4 0 -2. Dense, 1 1 5 1 3: 0, 0, 101010 0, 0, 110 1 are 14 bits; sparse, gap 3, +, 4,
// gap 2, -, 2, gap 1: 110 0 101000, 100 1 100, 0 are 18.
TEST(Elias, ADenseBucketByHand) {
    const Message message = encode(kFourSteps, {0, 0, 4, 0, -2});
    EXPECT_THAT(message.words, ElementsAre(bitsOf(4), 2 * 1 + 1, 0b00101010001101U << 18));
    std::vector<float> mean(5, -99);
    ASSERT_TRUE(decode(kFourSteps, message.words, mean).ok);
    EXPECT_THAT(mean, ElementsAre(0, 0, 4, 0, -2));
}

// 32 elements, of which element 9 has level -4: gap 10, -, 4, gap 23: 1110100 0... are 7 + 1 + 6 +
// 11 bits.
TEST(Elias, ASparseBucketByHand) {
    std::vector<float> values(40, 0.0F);
    values[9] = -2;
    const Message message = encode(kFourSteps, values);
    const std::uint32_t stream = 0b1110100U << 18 | 1U << 17 | 0b101000U << 11 | 0b10100101110U;
    EXPECT_THAT(message.words, ElementsAre(bitsOf(2), 2 * 1, 0, 0, stream << 7));
    std::vector<float> mean(40, -99);
    ASSERT_TRUE(decode(kFourSteps, message.words, mean).ok);
    EXPECT_EQ(mean, values);
}

TEST(Elias, GivesWhatPackedCodesGive) {
    for (const std::int64_t count : kAwkwardCounts) {
        for (const DitherFormat& format :
             {equalLevels(2, 1, ScaleKind::Norm, 512), equalLevels(4, 7, ScaleKind::Norm, 512),
              equalLevels(8, 127, ScaleKind::Largest, 64),
              equalLevels(16, 32767, ScaleKind::Largest, 4096)}) {
            const auto values = normalNumbers(count, 1);
            const Message message = encode(format, values);
            std::vector<float> mean(count, -99);
            const KernelStatus status = decode(format, message.words, mean);
            ASSERT_TRUE(status.ok) << status.message;
            for (std::int64_t i = 0; i < count; ++i) {
                // The residual is the value less what the code stands for.
                ASSERT_EQ(values[i] - mean[i], message.residual[i]) << i << " of " << count;
            }
        }
    }
}

TEST(Elias, TheMeanIsThatOfTheRowsAtAnyStride) {
    const Message first = encode(kFourSteps, {4, 0, -2, 4});
    const Message second = encode(kFourSteps, {0, 8, 8, -2});
    std::vector<std::uint32_t> rows(20, 0xEEEEEEEE);
    std::copy(first.words.begin(), first.words.end(), rows.begin());
    std::copy(second.words.begin(), second.words.end(), rows.begin() + 10);
    const std::int64_t bytes[] = {4 * static_cast<std::int64_t>(first.words.size()),
                                  4 * static_cast<std::int64_t>(second.words.size())};
    std::vector<float> mean(4, -99);
    ASSERT_TRUE(eliasMean(kFourSteps, {rows.data(), 40, bytes, 2}, mean.data(), 4, {}).ok);
    EXPECT_THAT(mean, ElementsAre(2, 4, 3, 1));
}

TEST(Elias, ZerosHaveNoStream) {
    const Message message = encode(kFourSteps, std::vector<float>(70, 0.0F));
    EXPECT_THAT(message.words, ElementsAre(0, 0, 0, 0, 0, 0));
}

// Equal magnitudes at the largest level: no bucket is longer, and it fits.
// The smallest scale there is, halved, is zero; the bucket is a legal one all the same.
TEST(Elias, AScaleThatVanishesInTheMeanIsNotCorrupt) {
    const std::vector<std::uint32_t> row{1U, 2 * 1 + 1, 0b00101010001101U << 18};
    std::vector<std::uint32_t> rows = row;
    rows.insert(rows.end(), row.begin(), row.end());
    const std::int64_t bytes[] = {12, 12};
    std::vector<float> mean(5, -99);
    EXPECT_TRUE(eliasMean(kFourSteps, {rows.data(), 12, bytes, 2}, mean.data(), 5, {}).ok);
    EXPECT_THAT(mean, ElementsAre(0, 0, 0, 0, 0));
}

TEST(Elias, CapacityIsEnoughForTheLongestCodes) {
    for (const int steps : {1, 7, 127, 32767}) {
        const DitherFormat format = equalLevels(16, steps, ScaleKind::Largest, 512);
        const Message message = encode(format, std::vector<float>(5000, -1.0F));
        const std::int64_t perElement = 1 + lengthByRecursion(steps + 1);
        const auto bytes = 4 * static_cast<std::int64_t>(message.words.size());
        EXPECT_EQ(eliasCapacityBytes(format, 5000), 12 * 10 + (5000 * perElement + 31) / 32 * 4);
        EXPECT_LE(bytes, eliasCapacityBytes(format, 5000));
        EXPECT_GE(bytes, 5000 * std::min<std::int64_t>(perElement, 3) / 8);
    }
}

TEST(Elias, ALengthThatDoesNotFitIsRefused) {
    Message message = encode(kFourSteps, normalNumbers(70, 1));
    std::vector<float> mean(70);
    message.words.pop_back();
    const std::string bytes = std::to_string(4 * message.words.size());
    EXPECT_EQ(decode(kFourSteps, message.words, mean).message,
              "the Elias message of rank 0 does not fit its " + bytes + " bytes");
    message.words.resize(5);
    EXPECT_EQ(decode(kFourSteps, message.words, mean).message,
              "the Elias message of rank 0 does not fit its 20 bytes");
}

TEST(Elias, CorruptedStreamsAreRefusedByName) {
    const std::string sentence = "the Elias stream of bucket 1 of rank 0 is corrupted";
    const Message good = encode(kFourSteps, normalNumbers(70, 1));
    std::vector<float> mean(70);
    const auto messageOf = [&](std::size_t word, std::uint32_t bits) {
        auto words = good.words;
        words[word] = bits;
        return decode(kFourSteps, words, mean).message;
    };
    const std::size_t second = 6 + good.words[1] / 2;  // where bucket 1's stream begins
    EXPECT_EQ(messageOf(2, bitsOf(-1)), sentence);
    EXPECT_EQ(messageOf(2, 0x7F800000), sentence);
    EXPECT_EQ(messageOf(2, 0), sentence);                   // a scale of 0, and yet a stream
    EXPECT_EQ(messageOf(second, 0xFFFFFFFF), sentence);     // a number beyond 2^31
    EXPECT_EQ(messageOf(second, 0xB8000000), sentence);     // a level above 4
    EXPECT_EQ(messageOf(3, good.words[3] ^ 1U), sentence);  // the other form
}

// Of the first form 32 zeros are all elements, and a word is left; of the second they are ten
// levels of 1 and the end of the words.
TEST(Elias, StreamsThatEndTooLateOrTooEarlyAreRefused) {
    const std::string sentence = "the Elias stream of bucket 0 of rank 0 is corrupted";
    std::vector<float> mean(32);
    EXPECT_EQ(decode(kFourSteps, {bitsOf(1), 2 * 2 + 1, 0, 0}, mean).message, sentence);
    EXPECT_EQ(decode(kFourSteps, {bitsOf(1), 2 * 1, 0}, mean).message, sentence);
    EXPECT_TRUE(decode(kFourSteps, {bitsOf(1), 2 * 1 + 1, 0}, mean).ok);
}

// Whatever comes, the answer is a status and nothing else is touched (the sanitizers watch).
TEST(Elias, NoiseIsNeverReadOrWrittenOutside) {
    int refused = 0;
    for (std::uint32_t trial = 0; trial < 2000; ++trial) {
        const PhiloxStream random{{{trial, 9}}, {0, 0, 0}};
        Message message = encode(kFourSteps, normalNumbers(70, 1));
        for (std::uint64_t i = 0; i < 3; ++i) {
            message.words[random.word(2 * i) % message.words.size()] = random.word(2 * i + 1);
        }
        std::vector<float> mean(70);
        refused += decode(kFourSteps, message.words, mean).ok ? 0 : 1;
    }
    EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace concertina::kernels
