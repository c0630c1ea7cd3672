// SPDX-License-Identifier: Apache-2.0
// What is special to ATOMO; what every compressor must hold is in
// tests/contract/compressor_test.cpp, the probabilities are in tests/kernels/atomo_test.cpp.
#include <ATen/ops/diag.h>
#include <ATen/ops/linalg_svd.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/base/error.h"
#include "core/compress/compressor.h"
#include "tests/contract/compressor_ranks.h"

namespace concertina {
namespace {

const std::vector<std::string> kBases{"entry", "singular"};

Settings basisOf(const std::string& basis) { return {{"basis", basis}}; }

CompressorRanks world(const std::string& basis, int ranks, std::uint64_t seed = 1) {
    return CompressorRanks("atomo", ranks, seed, basisOf(basis));
}

LevelPlan levelPlan(const std::string& basis, const Shape& shape, double budget) {
    return planOf("atomo", shape, {{"budget", budget}}, basisOf(basis));
}

double largest(const at::Tensor& tensor) { return tensor.abs().max().item<double>(); }

TEST(Atomo, ABudgetOfAllAtomsLosesOnlyRounding) {
    for (const std::string& basis : kBases) {
        for (const Shape& shape : {Shape{1, 1}, Shape{1, 2}, Shape{2, 1}, Shape{5, 9}, Shape{9, 5},
                                   Shape{64, 3, 3, 3}}) {
            CompressorRanks two = world(basis, 2);
            std::vector<at::Tensor> inputs{normalTensor(shape, 1), normalTensor(shape, 2)};
            const at::Tensor expected = sumOf(inputs) / 2;
            const at::Tensor mean = two.step(levelPlan(basis, shape, 1e9), shape, inputs);
            EXPECT_LE(largest(mean - expected), basis == "entry" ? 5e-7 : 1e-5);
            EXPECT_LE(largest(inputs[0]), basis == "entry" ? 0 : 1e-5);
        }
    }
}

TEST(Atomo, RanksDrawForThemselvesAndEachStepAnew) {
    const Shape shape{12, 30};
    for (const std::string& basis : kBases) {
        const at::Tensor gradient = normalTensor(shape, 3);
        CompressorRanks two = world(basis, 2);
        std::vector<at::Tensor> inputs{gradient.clone(), gradient.clone()};
        const LevelPlan plan = levelPlan(basis, shape, 4);
        two.step(plan, shape, inputs, 0);
        EXPECT_FALSE(sameBits(inputs[0], inputs[1])) << basis;
        std::vector<at::Tensor> again{gradient.clone(), gradient.clone()};
        two.step(plan, shape, again, 1);
        EXPECT_FALSE(sameBits(inputs[0], again[0])) << basis;
    }
}

// Equal singular values and budget 2 of 4: each pair is drawn with 1/2 and then sent twice as
// large; a pair of these is one entry of the diagonal.
TEST(Atomo, SingularPairsOfADiagonalMatrixByHand) {
    const Shape shape{4, 40};
    at::Tensor matrix = at::zeros({4, 40});
    matrix.narrow(1, 0, 4).copy_(at::diag(at::tensor({3.F, -3.F, 3.F, -3.F})));
    int drawnSteps = 0;
    CompressorRanks one = world("singular", 1);
    for (int step = 0; step < 40; ++step) {
        std::vector<at::Tensor> inputs{matrix.flatten().clone()};
        const at::Tensor mean = one.step(levelPlan("singular", shape, 2), shape, inputs, step);
        const auto pairs = mean.ne(0).sum().item<std::int64_t>();
        EXPECT_EQ(one.sent()[0].numel(), std::min<std::int64_t>(pairs * 4 * 44, 4 * 160));
        EXPECT_LE(largest((mean - matrix.flatten() * 2) * mean), 1e-4);
        EXPECT_LE(largest(inputs[0] + mean - matrix.flatten()), 1e-6);
        drawnSteps += pairs > 0 ? 1 : 0;
    }
    EXPECT_GT(drawnSteps, 20);  // 37.5 are expected, with a deviation of 1.5
}

// The squared error of 1,000 draws against sum of sigma^2 (1/p - 1), which is
// ||sigma||_1^2 / s - ||sigma||_2^2 as nothing is clipped; 5 standard errors: a false alarm in 1 of
// 1.7 million seeds.
TEST(Atomo, TheVarianceInTheSingularBasisIsTheOptimumOfThePaper) {
    const Shape shape{20, 24};
    const at::Tensor gradient = normalTensor(shape, 4);
    const at::Tensor sigma =
        std::get<1>(at::linalg_svd(gradient.view({20, 24}), false)).to(at::kDouble);
    const double budget = 2;
    const double l1 = sigma.sum().item<double>();
    ASSERT_LE(largest(sigma) * budget, l1);
    const double optimum = l1 * l1 / budget - sigma.square().sum().item<double>();
    CompressorRanks one = world("singular", 1);
    const LevelPlan plan = levelPlan("singular", shape, budget);
    constexpr int kDraws = 1000;
    double sum = 0;
    double squares = 0;
    for (int step = 0; step < kDraws; ++step) {
        std::vector<at::Tensor> inputs{gradient.clone()};
        one.step(plan, shape, inputs, step);
        const double error = inputs[0].to(at::kDouble).square().sum().item<double>();
        sum += error;
        squares += error * error;
    }
    const double mean = sum / kDraws;
    const double deviation = std::sqrt(squares / kDraws - mean * mean);
    EXPECT_NEAR(mean, optimum, 5 * deviation / std::sqrt(static_cast<double>(kDraws)));
}

// Budget 1.5 of 3 pairs: a draw of two pairs is 56 bytes, not shorter than the matrix of 48.
TEST(Atomo, ManyPairsTravelAsAMatrix) {
    const Shape shape{3, 4};
    CompressorRanks three = world("singular", 3);
    const LevelPlan plan = levelPlan("singular", shape, 1.5);
    bool asMatrix = false;
    bool asPairs = false;
    for (int step = 0; step < 30; ++step) {
        std::vector<at::Tensor> inputs{normalTensor(shape, 1), normalTensor(shape, 2),
                                       normalTensor(shape, 3)};
        const at::Tensor before = sumOf(inputs);
        const at::Tensor mean = three.step(plan, shape, inputs, step);
        EXPECT_LE(largest(sumOf(inputs) + mean.to(at::kDouble) * 3 - before), 1e-4);
        asMatrix |= three.sent()[0].numel() == 48;
        asPairs |= three.sent()[0].numel() == 28;
    }
    EXPECT_TRUE(asMatrix);
    EXPECT_TRUE(asPairs);
}

/// What decoding a message of `bytes` bytes says.
std::string refusalOf(const std::string& basis, std::int64_t bytes, std::int32_t firstWord = 0) {
    const Shape shape{4, 5};
    const LevelPlan plan = levelPlan(basis, shape, 1);
    const auto compressor = makeCompressor({"atomo", basisOf(basis)}, {});
    LayerWork work{0, &shape, &plan.level, &plan.plan, 0, at::zeros({20}), at::zeros({20})};
    work.rowBytes = {bytes};
    const at::Tensor rows = at::zeros({1, 20}, at::kInt);
    rows[0][0] = firstWord;
    try {
        compressor->decode(0, work, rows.view(at::kByte));
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(Atomo, ACorruptedMessageIsAnErrorNotAnAccessElsewhere) {
    EXPECT_EQ(refusalOf("singular", 0), "");
    EXPECT_EQ(refusalOf("singular", 36), "");
    EXPECT_EQ(refusalOf("singular", 80), "");
    const std::string sentence =
        " bytes, but for a 4 x 5 matrix it has 80, or fewer and a multiple of 36";
    for (const std::int64_t bytes : {-36, 4, 76, 108}) {
        EXPECT_EQ(refusalOf("singular", bytes),
                  "the ATOMO message of rank 0 has " + std::to_string(bytes) + sentence);
    }
    EXPECT_EQ(refusalOf("entry", 8, 19), "");
    EXPECT_NE(refusalOf("entry", 8, 20), "");
    EXPECT_NE(refusalOf("entry", 12), "");
}

}  // namespace
}  // namespace concertina
