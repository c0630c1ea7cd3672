// SPDX-License-Identifier: Apache-2.0
#include "kernels/signs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "tests/kernels/inputs.h"

namespace concertina::kernels {
namespace {

using testing::ElementsAre;

/// A message and what the values have become.
struct Packed {
    std::vector<float> message, rest;
    const unsigned char* signs() const {
        return reinterpret_cast<const unsigned char*>(message.data() + 1);
    }
};

Packed packed(const std::vector<float>& values, float scale) {
    const auto count = static_cast<std::int64_t>(values.size());
    Packed result{std::vector<float>(2 + signBytes(count) / 4), values};
    std::memset(result.message.data(), 0xEE, result.message.size() * sizeof(float));
    EXPECT_TRUE(packSigns(result.rest.data(), count, scale, result.message.data(), {}).ok);
    unsigned guard = 0;
    std::memcpy(&guard, &result.message.back(), sizeof(guard));
    EXPECT_EQ(guard, 0xEEEEEEEE) << "wrote behind the message";
    result.message.pop_back();
    return result;
}

/// Messages of `ranks` one behind the other, a word of something else between them.
std::vector<float> gathered(const std::vector<std::vector<float>>& ranks) {
    std::vector<float> all;
    for (const auto& message : ranks) {
        all.insert(all.end(), message.begin(), message.end());
        all.push_back(-77);
    }
    return all;
}

std::vector<float> combined(const std::vector<std::vector<float>>& ranks,
                            SignRule rule,
                            std::int64_t count) {
    const auto all = gathered(ranks);
    const auto strideBytes = static_cast<std::int64_t>((ranks[0].size() + 1) * sizeof(float));
    std::vector<float> result(count + 1, -99);
    EXPECT_TRUE(combineSigns({all.data(), strideBytes, static_cast<int>(ranks.size())}, rule,
                             result.data(), count, {})
                    .ok);
    EXPECT_EQ(result.back(), -99);
    result.pop_back();
    return result;
}

TEST(Signs, ByHand) {
    EXPECT_EQ(signBytes(0), 0);
    EXPECT_EQ(signBytes(1), 4);
    EXPECT_EQ(signBytes(32), 4);
    EXPECT_EQ(signBytes(33), 8);
    const Packed got = packed({1.5F, -2, 0.0F, -0.0F, -1e-40F, 3, -8, 7, 1, -1}, 2);
    EXPECT_EQ(got.message[0], 2);
    EXPECT_EQ(got.signs()[0], 0b01010010);
    EXPECT_EQ(got.signs()[1], 0b10);
    EXPECT_EQ(got.signs()[2], 0);
    EXPECT_EQ(got.signs()[3], 0);
    EXPECT_THAT(got.rest, ElementsAre(-0.5F, 0, -2, -2, 2, 1, -6, 5, -1, 1));
}

TEST(Signs, PackEqualsAScalarLoop) {
    onEachTarget([] {
        for (const std::int64_t count : kAwkwardCounts) {
            const auto values = wholeNumbers(count, 3, 1);
            const Packed got = packed(values, 0.5F);
            ASSERT_EQ(got.message[0], 0.5F);
            for (std::int64_t i = 0; i < count; ++i) {
                ASSERT_EQ(isNegative(got.signs(), i), values[i] < 0) << i << " of " << count;
                ASSERT_EQ(got.rest[i], values[i] - (values[i] < 0 ? -0.5F : 0.5F)) << i;
            }
            for (std::int64_t i = count; i < 8 * signBytes(count); ++i) {
                ASSERT_FALSE(isNegative(got.signs(), i)) << "behind the last of " << count;
            }
        }
    });
}

TEST(Signs, MeanEqualsAScalarLoop) {
    onEachTarget([] {
        for (const std::int64_t count : kAwkwardCounts) {
            const std::vector<float> scales{0.25F, 3, 0, 1.5F};
            std::vector<std::vector<float>> messages, values;
            for (unsigned rank = 0; rank < 4; ++rank) {
                values.push_back(wholeNumbers(count, 3, rank));
                messages.push_back(packed(values.back(), scales[rank]).message);
            }
            const auto mean = combined(messages, SignRule::Mean, count);
            for (std::int64_t i = 0; i < count; ++i) {
                float sum = 0;
                for (unsigned rank = 0; rank < 4; ++rank) {
                    sum += values[rank][i] < 0 ? -scales[rank] : scales[rank];
                }
                ASSERT_EQ(mean[i], sum / 4) << i << " of " << count;
            }
        }
    });
}

TEST(Signs, AMajorityDecidesAndATieMovesNothing) {
    onEachTarget([] {
        const auto a = packed({1, 1, -1, -1, 5}, 1).message;
        const auto b = packed({1, -1, 1, -1, 5}, 2).message;
        EXPECT_THAT(combined({a, b}, SignRule::Vote, 5), ElementsAre(1.5F, 0, 0, -1.5F, 1.5F));
        const auto c = packed({-1, 1, 1, -1, -5}, 6).message;
        EXPECT_THAT(combined({a, b, c}, SignRule::Vote, 5), ElementsAre(3, 3, 3, -3, 3));
    });
}

TEST(Signs, ARankOfZerosHasNoVote) {
    const auto silent = packed({0, 0, 0}, 0).message;
    const auto voter = packed({-1, 1, -1}, 4).message;
    EXPECT_THAT(combined({silent, voter, silent}, SignRule::Vote, 3), ElementsAre(-4, 4, -4));
    EXPECT_THAT(combined({silent, voter}, SignRule::Mean, 3), ElementsAre(-2, 2, -2));
    EXPECT_THAT(combined({silent, silent}, SignRule::Vote, 3), ElementsAre(0, 0, 0));
    EXPECT_THAT(combined({silent}, SignRule::Mean, 3), ElementsAre(0, 0, 0));
}

TEST(Signs, VotesEqualAScalarLoop) {
    onEachTarget([] {
        for (const std::int64_t count : kAwkwardCounts) {
            std::vector<std::vector<float>> messages, values;
            for (unsigned rank = 0; rank < 4; ++rank) {
                values.push_back(wholeNumbers(count, 3, rank));
                messages.push_back(packed(values.back(), 0.5F).message);
            }
            const auto vote = combined(messages, SignRule::Vote, count);
            for (std::int64_t i = 0; i < count; ++i) {
                int sum = 0;
                for (const auto& ofRank : values) {
                    sum += ofRank[i] < 0 ? -1 : 1;
                }
                ASSERT_EQ(vote[i], sum > 0 ? 0.5F : sum < 0 ? -0.5F : 0.0F) << i << " of " << count;
            }
        }
    });
}

}  // namespace
}  // namespace concertina::kernels
