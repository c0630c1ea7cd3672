// SPDX-License-Identifier: Apache-2.0
#include "kernels/powersgd.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/kernels/inputs.h"

namespace concertina::kernels {
namespace {

using testing::Each;

const std::vector<MatrixShape> kShapes{
    {1, 1, 1},   {1, 2, 1},   {2, 1, 1},   {3, 7, 2},    {4, 8, 3},     {5, 9, 5},     {64, 27, 2},
    {17, 16, 4}, {255, 3, 3}, {3, 255, 3}, {64, 64, 64}, {33, 1000, 7}, {100, 1001, 2}};

/// P = M Q in whole numbers.
std::vector<float> productByLoops(const std::vector<float>& matrix,
                                  const std::vector<float>& q,
                                  MatrixShape s) {
    std::vector<float> p(s.rows * s.rank, 0);
    for (std::int64_t i = 0; i < s.rows; ++i) {
        for (std::int64_t c = 0; c < s.rank; ++c) {
            for (std::int64_t j = 0; j < s.columns; ++j) {
                p[c * s.rows + i] += matrix[i * s.columns + j] * q[c * s.columns + j];
            }
        }
    }
    return p;
}

std::vector<float> transposed(const std::vector<float>& matrix, MatrixShape s) {
    std::vector<float> result(matrix.size());
    for (std::int64_t i = 0; i < s.rows; ++i) {
        for (std::int64_t j = 0; j < s.columns; ++j) {
            result[j * s.rows + i] = matrix[i * s.columns + j];
        }
    }
    return result;
}

TEST(Multiply, EqualsLoops) {
    onEachTarget([] {
        for (const MatrixShape& s : kShapes) {
            const auto matrix = wholeNumbers(s.rows * s.columns, 20, 1);
            const auto q = wholeNumbers(s.columns * s.rank, 20, 2);
            std::vector<float> p(s.rows * s.rank, -99);
            ASSERT_TRUE(multiply(matrix.data(), q.data(), s, p.data(), {}).ok);
            EXPECT_EQ(p, productByLoops(matrix, q, s)) << s.rows << " x " << s.columns;
        }
    });
}

TEST(MultiplyTransposed, EqualsLoops) {
    onEachTarget([] {
        for (const MatrixShape& s : kShapes) {
            const auto matrix = wholeNumbers(s.rows * s.columns, 20, 1);
            const auto p = wholeNumbers(s.rows * s.rank, 20, 2);
            std::vector<float> q(s.columns * s.rank, -99);
            ASSERT_TRUE(multiplyTransposed(matrix.data(), p.data(), s, q.data(), {}).ok);
            const MatrixShape turned{s.columns, s.rows, s.rank};
            EXPECT_EQ(q, productByLoops(transposed(matrix, s), p, turned))
                << s.rows << " x " << s.columns;
        }
    });
}

TEST(Reconstruct, EqualsLoopsAndLeavesTheResidual) {
    onEachTarget([] {
        for (const MatrixShape& s : kShapes) {
            const auto input = wholeNumbers(s.rows * s.columns, 1000, 1);
            const auto p = wholeNumbers(s.rows * s.rank, 20, 2);
            const auto q = wholeNumbers(s.columns * s.rank, 20, 3);
            auto matrix = input;
            std::vector<float> output(input.size(), -99);
            ASSERT_TRUE(reconstruct(p.data(), q.data(), s, matrix.data(), output.data(), {}).ok);
            for (std::int64_t at = 0; at < s.rows * s.columns; ++at) {
                float expected = 0;
                for (std::int64_t c = 0; c < s.rank; ++c) {
                    expected += p[c * s.rows + at / s.columns] * q[c * s.columns + at % s.columns];
                }
                ASSERT_EQ(output[at], expected);
                ASSERT_EQ(matrix[at], input[at] - expected);
            }
        }
    });
}

double dotByLoop(const float* a, const float* b, std::int64_t length) {
    double sum = 0;
    for (std::int64_t i = 0; i < length; ++i) {
        sum += static_cast<double>(a[i]) * b[i];
    }
    return sum;
}

TEST(Orthogonalise, ColumnsBecomeOrthonormal) {
    onEachTarget([] {
        for (const std::int64_t length : {64, 65, 1000}) {
            const std::int64_t rank = 33;
            auto columns = normalNumbers(length * rank, 3);
            ASSERT_TRUE(orthogonalise(columns.data(), length, rank, {}).ok);
            for (std::int64_t a = 0; a < rank; ++a) {
                for (std::int64_t b = 0; b <= a; ++b) {
                    const double product =
                        dotByLoop(&columns[a * length], &columns[b * length], length);
                    EXPECT_NEAR(product, a == b ? 1 : 0, 2e-7) << a << ", " << b;
                }
            }
        }
    });
}

TEST(Orthogonalise, KnowsExactAnswers) {
    std::vector<float> columns{3, 4, 0, 0, 5, 0, 0, 2};
    ASSERT_TRUE(orthogonalise(columns.data(), 4, 2, {}).ok);
    const std::vector<float> expected{0.6F, 0.8F, 0, 0, 0.8F, -0.6F, 0, 0};
    // The second column (5, 0, 0, 2) less 3 times the first is (3.2, -2.4, 0, 2), of length
    // sqrt(20).
    const float length = std::sqrt(20.0F);
    for (int i = 0; i < 4; ++i) {
        EXPECT_FLOAT_EQ(columns[i], expected[i]);
    }
    EXPECT_FLOAT_EQ(columns[4], 3.2F / length);
    EXPECT_FLOAT_EQ(columns[5], -2.4F / length);
    EXPECT_EQ(columns[6], 0);
    EXPECT_FLOAT_EQ(columns[7], 2 / length);
}

TEST(Orthogonalise, ZeroAndRepeatedColumnsBecomeZero) {
    onEachTarget([] {
        const std::int64_t length = 100;
        auto columns = normalNumbers(length * 4, 5);
        for (std::int64_t i = 0; i < length; ++i) {
            columns[length + i] = 0;
            columns[2 * length + i] = -3 * columns[i];
        }
        ASSERT_TRUE(orthogonalise(columns.data(), length, 4, {}).ok);
        const auto column = [&](std::int64_t c) {
            return std::vector<float>(columns.begin() + c * length,
                                      columns.begin() + (c + 1) * length);
        };
        EXPECT_NEAR(dotByLoop(columns.data(), columns.data(), length), 1, 2e-7);
        EXPECT_THAT(column(1), Each(0));
        EXPECT_THAT(column(2), Each(0));
        EXPECT_NEAR(dotByLoop(column(3).data(), column(3).data(), length), 1, 2e-7);
    });
}

TEST(Orthogonalise, SmallestAndLargestColumnsHaveLengthOne) {
    for (const float size : {std::numeric_limits<float>::denorm_min(), 1e-30F, 1e38F}) {
        std::vector<float> columns(4, size);
        ASSERT_TRUE(orthogonalise(columns.data(), 4, 1, {}).ok);
        EXPECT_THAT(columns, Each(0.5F));
    }
}

/// All four operations after one another, on numbers that do round.
std::vector<float> oneStep(MatrixShape s) {
    auto matrix = normalNumbers(s.rows * s.columns, 1);
    auto q = normalNumbers(s.columns * s.rank, 2);
    std::vector<float> p(s.rows * s.rank);
    std::vector<float> output(matrix.size());
    EXPECT_TRUE(multiply(matrix.data(), q.data(), s, p.data(), {}).ok);
    EXPECT_TRUE(orthogonalise(p.data(), s.rows, s.rank, {}).ok);
    EXPECT_TRUE(multiplyTransposed(matrix.data(), p.data(), s, q.data(), {}).ok);
    EXPECT_TRUE(reconstruct(p.data(), q.data(), s, matrix.data(), output.data(), {}).ok);
    output.insert(output.end(), matrix.begin(), matrix.end());
    return output;
}

TEST(Powersgd, EveryInstructionSetGivesTheSameBits) {
    for (const MatrixShape& s : kShapes) {
        std::vector<std::vector<float>> results;
        onEachTarget([&] { results.push_back(oneStep(s)); });
        for (const auto& result : results) {
            EXPECT_EQ(result, results.front()) << s.rows << " x " << s.columns;
        }
    }
}

}  // namespace
}  // namespace concertina::kernels
