// SPDX-License-Identifier: Apache-2.0
#include "kernels/onebit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "tests/kernels/inputs.h"

namespace concertina::kernels {
namespace {

using testing::ElementsAre;

const std::vector<RowShape> kShapes{{1, 1},  {1, 2},   {2, 1},   {3, 7},    {5, 8},
                                    {4, 27}, {17, 33}, {6, 256}, {33, 1000}};

struct Packed {
    RowShape shape;
    std::vector<float> message, rest;

    float positiveMean(std::int64_t row) const { return message[2 * row]; }
    float negativeMean(std::int64_t row) const { return message[2 * row + 1]; }
    bool isNegativeAt(std::int64_t i) const {
        return isNegative(message.data() + 2 * shape.rows, i);
    }
    float standIn(std::int64_t i) const {
        const std::int64_t row = i / shape.columns;
        return isNegativeAt(i) ? negativeMean(row) : positiveMean(row);
    }
};

Packed packed(const std::vector<float>& values, RowShape shape) {
    Packed result{shape, std::vector<float>(onebitBytes(shape) / 4 + 1), values};
    std::memset(result.message.data(), 0xEE, result.message.size() * sizeof(float));
    EXPECT_TRUE(packOnebit(result.rest.data(), shape, result.message.data(), {}).ok);
    unsigned guard = 0;
    std::memcpy(&guard, &result.message.back(), sizeof(guard));
    EXPECT_EQ(guard, 0xEEEEEEEE) << "wrote behind the message";
    result.message.pop_back();
    return result;
}

TEST(Onebit, ByHand) {
    const Packed got = packed({1, -2, 3, 0, -4, -4, 7, 7, 7, 0, -0.0F, 0}, {4, 3});
    EXPECT_EQ(onebitBytes({4, 3}), 8 * 4 + 4);
    EXPECT_THAT(std::vector<float>(got.message.begin(), got.message.begin() + 8),
                ElementsAre(2, -2, 0, -4, 7, 0, 0, 0));
    EXPECT_THAT(got.rest, ElementsAre(-1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    for (std::int64_t i = 0; i < 32; ++i) {
        EXPECT_EQ(got.isNegativeAt(i), i == 1 || i == 4 || i == 5) << i;
    }
}

TEST(Onebit, PackEqualsAScalarLoop) {
    onEachTarget([] {
        for (const RowShape shape : kShapes) {
            const auto values = wholeNumbers(shape.rows * shape.columns, 5, 1);
            const Packed got = packed(values, shape);
            for (std::int64_t row = 0; row < shape.rows; ++row) {
                int sums[2] = {};
                int counts[2] = {};
                for (std::int64_t i = row * shape.columns; i < (row + 1) * shape.columns; ++i) {
                    const bool isBelow = values[i] < 0;
                    ASSERT_EQ(got.isNegativeAt(i), isBelow) << i << " of " << shape.columns;
                    sums[isBelow] += static_cast<int>(values[i]);
                    ++counts[isBelow];
                }
                const auto mean = [](double sum, int count) {
                    return count == 0 ? 0.0F : static_cast<float>(sum / count);
                };
                ASSERT_EQ(got.positiveMean(row), mean(sums[0], counts[0])) << row;
                ASSERT_EQ(got.negativeMean(row), mean(sums[1], counts[1])) << row;
            }
            for (std::int64_t i = 0; i < shape.rows * shape.columns; ++i) {
                ASSERT_EQ(got.rest[i], values[i] - got.standIn(i)) << i;
            }
        }
    });
}

TEST(Onebit, MeanEqualsAScalarLoop) {
    onEachTarget([] {
        for (const RowShape shape : kShapes) {
            const std::int64_t count = shape.rows * shape.columns;
            std::vector<Packed> ranks;
            std::vector<float> all;
            for (unsigned rank = 0; rank < 3; ++rank) {
                ranks.push_back(packed(normalNumbers(count, rank), shape));
                all.insert(all.end(), ranks.back().message.begin(), ranks.back().message.end());
                all.push_back(-77);
            }
            std::vector<float> mean(count + 1, -99);
            ASSERT_TRUE(
                meanOfOnebit({all.data(), onebitBytes(shape) + 4, 3}, shape, mean.data(), {}).ok);
            for (std::int64_t i = 0; i < count; ++i) {
                const float sum = ranks[0].standIn(i) + ranks[1].standIn(i) + ranks[2].standIn(i);
                ASSERT_EQ(mean[i], sum / 3) << i << " of " << count;
            }
            ASSERT_EQ(mean[count], -99);
        }
    });
}

TEST(Onebit, EveryInstructionSetGivesTheSameBits) {
    for (const RowShape shape : kShapes) {
        std::vector<std::vector<float>> messages;
        onEachTarget([&] {
            messages.push_back(packed(normalNumbers(shape.rows * shape.columns, 3), shape).message);
        });
        for (const auto& message : messages) {
            EXPECT_EQ(std::memcmp(message.data(), messages[0].data(), onebitBytes(shape)), 0);
        }
    }
}

}  // namespace
}  // namespace concertina::kernels
