// SPDX-License-Identifier: Apache-2.0
// What is special to PowerSGD; what every compressor must hold is in
// tests/contract/compressor_test.cpp.
#include <ATen/ops/linalg_qr.h>
#include <ATen/ops/linalg_svd.h>
#include <ATen/ops/outer.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "core/base/error.h"
#include "core/compress/compressor.h"
#include "tests/contract/compressor_ranks.h"

namespace concertina {
namespace {

BytePlan ofRank(std::int64_t rank, const Shape& shape) {
    const MatrixSize size = matrixOf(shape);
    return {.phases = {{Reduction::Sum, 4 * rank * size.rows},
                       {Reduction::Sum, 4 * rank * size.columns}}};
}

at::Tensor queryOf(const Compressor& compressor) {
    const auto state = compressor.save();
    EXPECT_EQ(state.size(), 1U);
    EXPECT_EQ(state.at(0).first, "layer0.q");
    return state.at(0).second;
}

double largest(const at::Tensor& tensor) { return tensor.abs().max().item<double>(); }

// methods.md 2.1 in fp64 with torch's QR: P spans the columns of (sum of M) Q, the mean is P P^T
// (mean of M).
TEST(Powersgd, EqualsTheAlgorithmOfThePaper) {
    const Shape shape{12, 5, 3};
    const std::int64_t rank = 4;
    CompressorRanks world("powersgd", 3);
    std::vector<at::Tensor> first{normalTensor(shape, 1), normalTensor(shape, 2),
                                  normalTensor(shape, 3)};
    world.step(ofRank(rank, shape), shape, first);
    const at::Tensor query = queryOf(world.rank(0)).to(at::kDouble);

    std::vector<at::Tensor> inputs{normalTensor(shape, 4), normalTensor(shape, 5),
                                   normalTensor(shape, 6)};
    const auto before = copiesOf(inputs);
    const at::Tensor mean = world.step(ofRank(rank, shape), shape, inputs, 1);
    const at::Tensor matrix = sumOf(before).view({12, 15}) / 3;
    const at::Tensor p = std::get<0>(at::linalg_qr(matrix.matmul(query.t())));
    const at::Tensor expected = p.matmul(p.t()).matmul(matrix).flatten();
    EXPECT_LE(largest(mean - expected), 1e-5);
    for (int rankIndex = 0; rankIndex < 3; ++rankIndex) {
        EXPECT_LE(largest(inputs[rankIndex] - (before[rankIndex] - expected)), 1e-5);
    }
}

// A random square query is badly conditioned now and then, which costs a digit or two of fp32's
// seven.
TEST(Powersgd, TheFullRankLosesOnlyRounding) {
    for (const Shape& shape : {Shape{1, 1}, Shape{1, 2}, Shape{2, 1}, Shape{5, 9}, Shape{9, 5},
                               Shape{64, 27}, Shape{64, 64}}) {
        const MatrixSize size = matrixOf(shape);
        CompressorRanks world("powersgd", 2);
        for (int step = 0; step < 3; ++step) {
            std::vector<at::Tensor> inputs{normalTensor(shape, step),
                                           normalTensor(shape, 10 + step)};
            const at::Tensor expected = sumOf(inputs) / 2;
            auto plan = ofRank(std::min(size.rows, size.columns), shape);
            if (step == 2) {  // with two iterations
                plan.phases.insert(plan.phases.end(), {plan.phases[0], plan.phases[1]});
            }
            const at::Tensor mean = world.step(plan, shape, inputs, step);
            EXPECT_LE(largest(mean - expected), 1e-4) << size.rows << " x " << size.columns;
        }
    }
}

// A further iteration does what a further step with the same gradient does, to the bit.
TEST(Powersgd, IterationsOfAStepEqualStepsOnTheSameMatrix) {
    const Shape shape{30, 8, 5};
    for (const std::int64_t iterations : {2, 3, 8}) {
        const LevelPlan once = planOf("powersgd", shape, {{"rank", std::int64_t{3}}});
        const LevelPlan often =
            planOf("powersgd", shape, {{"rank", std::int64_t{3}}}, {{"iterations", iterations}});
        ASSERT_EQ(often.plan.payloadBytes(), iterations * once.plan.payloadBytes());
        EXPECT_EQ(often.plan.effectiveLevel,
                  "rank 3, " + std::to_string(iterations) + " iterations");
        CompressorRanks stepping("powersgd", 2);
        CompressorRanks iterating("powersgd", 2);
        const std::vector<at::Tensor> gradients{normalTensor(shape, 1), normalTensor(shape, 2)};
        std::vector<at::Tensor> residuals;
        at::Tensor expected;
        for (std::int64_t i = 0; i < iterations; ++i) {
            residuals = copiesOf(gradients);
            expected = stepping.step(once, shape, residuals, i);
        }
        auto inputs = copiesOf(gradients);
        EXPECT_TRUE(sameBits(iterating.step(often, shape, inputs), expected));
        EXPECT_TRUE(sameBits(inputs[1], residuals[1]));
    }
}

TEST(Powersgd, ARankOneMatrixIsSentExactlyByRankOne) {
    const Shape shape{20, 30};
    const at::Tensor matrix =
        at::outer(wholeTensor({1, 20}, 9, 1), wholeTensor({1, 30}, 9, 2)).flatten();
    CompressorRanks world("powersgd", 1);
    std::vector<at::Tensor> inputs{matrix.clone()};
    EXPECT_LE(largest(world.step(ofRank(1, shape), shape, inputs) - matrix), 1e-4);
    EXPECT_LE(largest(inputs[0]), 1e-4);
}

// Subspace iteration: on the same matrix each step comes nearer to the best approximation.
TEST(Powersgd, AWarmStartConvergesOnTheBestApproximation) {
    const Shape shape{30, 40};
    const at::Tensor matrix = normalTensor(shape, 1);
    CompressorRanks world("powersgd", 1);
    double error = 1e9;
    double firstError = 0;
    for (int step = 0; step < 40; ++step) {
        std::vector<at::Tensor> inputs{matrix.clone()};
        world.step(ofRank(3, shape), shape, inputs, step);
        const double now = inputs[0].norm().item<double>();
        EXPECT_LE(now, error * (1 + 1e-6)) << step;
        error = now;
        firstError = step == 0 ? now : firstError;
    }
    const at::Tensor values = std::get<1>(at::linalg_svd(matrix.view({30, 40}), false));
    const double best = values.slice(0, 3).norm().item<double>();
    EXPECT_NEAR(error, best, 1e-2 * best);
    EXPECT_GT(firstError, 1.05 * error);
}

TEST(Powersgd, TheFirstQueryIsEqualOnAllRanksAndOtherForOtherLayersAndSeeds) {
    const Shape shape{6, 8};
    const auto queryAfterEncode = [&](RankInfo info, int layer) {
        const auto compressor = makeCompressor({"powersgd", {}}, info);
        const BytePlan plan = ofRank(2, shape);
        const Settings level;
        LayerWork work{layer, &shape, &level, &plan, 0, normalTensor(shape, 1), at::zeros({48})};
        compressor->encode(0, work, at::zeros({48}, at::kByte));
        compressor->commit();
        return compressor->save().at(0).second;
    };
    const at::Tensor query = queryAfterEncode({0, 2, 1}, 0);
    EXPECT_TRUE(sameBits(query, queryAfterEncode({1, 2, 1}, 0)));
    EXPECT_FALSE(sameBits(query, queryAfterEncode({0, 2, 2}, 0)));
    EXPECT_FALSE(sameBits(query, queryAfterEncode({0, 2, 1}, 1)));
    EXPECT_FALSE(query[0].equal(query[1]));
}

TEST(Powersgd, ALevelChangeKeepsTheFirstColumnsOfTheQuery) {
    const Shape shape{16, 24};
    CompressorRanks world("powersgd", 1);
    std::vector<at::Tensor> inputs{normalTensor(shape, 1)};
    world.step(ofRank(4, shape), shape, inputs, 0);
    const at::Tensor four = queryOf(world.rank(0));
    const auto queryAt = [&](std::int64_t rank, std::int64_t step) {
        const BytePlan plan = ofRank(rank, shape);
        const Settings level;
        LayerWork work{0, &shape, &level, &plan, step, normalTensor(shape, 2), at::zeros({384})};
        world.rank(0).encode(0, work, at::zeros({plan.phases[0].payloadBytes}, at::kByte));
        world.rank(0).commit();
        return queryOf(world.rank(0));
    };
    const at::Tensor two = queryAt(2, 1);
    EXPECT_TRUE(two.equal(four.slice(0, 0, 2)));
    const at::Tensor three = queryAt(3, 2);
    EXPECT_TRUE(three.slice(0, 0, 2).equal(two));
    EXPECT_FALSE(three[2].equal(four[2]));
}

// A dead layer's zero gradient must not turn the query into zeros: those would stay, and the layer
// with them.
TEST(Powersgd, AZeroGradientLeavesTheQuery) {
    const Shape shape{6, 8};
    CompressorRanks world("powersgd", 1);
    std::vector<at::Tensor> inputs{normalTensor(shape, 1)};
    world.step(ofRank(2, shape), shape, inputs, 0);
    const at::Tensor before = queryOf(world.rank(0));
    inputs = {at::zeros({48})};
    world.step(ofRank(2, shape), shape, inputs, 1);
    EXPECT_TRUE(queryOf(world.rank(0)).equal(before));
}

TEST(Powersgd, VerySmallAndVeryLargeGradientsKeepTheirScale) {
    const Shape shape{6, 8};
    for (const double scale : {1e-35, 1e-20, 1e20, 1e35}) {
        CompressorRanks world("powersgd", 1);
        const at::Tensor matrix = normalTensor(shape, 1) * scale;
        for (int step = 0; step < 4; ++step) {
            std::vector<at::Tensor> inputs{matrix.clone()};
            const at::Tensor mean = world.step(ofRank(6, shape), shape, inputs, step);
            EXPECT_LE(largest(mean - matrix), 1e-4 * scale) << scale << " step " << step;
        }
    }
}

TEST(Powersgd, AForeignStateIsRefused) {
    const auto compressor = makeCompressor({"powersgd", {}}, {});
    const std::vector<Shape> shapes{{2}, {6, 8}};
    for (const char* name : {"layer.q", "layer3", "layer3.p", "x", "layer3x.q"}) {
        EXPECT_THROW(compressor->load({{name, at::zeros({1, 8})}}, shapes), Error) << name;
    }
    for (const at::Tensor& query : {at::zeros({1, 7}), at::zeros({7, 8}), at::zeros({0, 8}),
                                    at::zeros({8}), at::zeros({1, 8}, at::kDouble)}) {
        EXPECT_THROW(compressor->load({{"layer1.q", query}}, shapes), Error) << query;
    }
    EXPECT_THROW(compressor->load({{"layer2.q", at::zeros({1, 8})}}, shapes), Error);
    compressor->load({{"layer1.q", at::zeros({6, 8})}}, shapes);
}

TEST(Powersgd, AStepThatDoesNotCountLeavesTheQuery) {
    const Shape shape{6, 8};
    CompressorRanks world("powersgd", 1);
    std::vector<at::Tensor> inputs{normalTensor(shape, 1)};
    world.step(ofRank(2, shape), shape, inputs, 0);
    const at::Tensor before = queryOf(world.rank(0));
    const BytePlan plan = ofRank(3, shape);  // another level on top
    const Settings level;
    LayerWork work{0, &shape, &level, &plan, 1, normalTensor(shape, 2), at::zeros({48})};
    work.output = at::zeros({48});
    for (int phase = 0; phase < 2; ++phase) {
        const at::Tensor payload = at::zeros({plan.phases[phase].payloadBytes}, at::kByte);
        world.rank(0).encode(phase, work, payload);
        world.rank(0).decode(phase, work, payload);
    }
    world.rank(0).rollback();
    EXPECT_TRUE(sameBits(queryOf(world.rank(0)), before));
}

// Finite inputs whose products are not: the direction is lost, not the query.
TEST(Powersgd, AMeanThatIsNotFiniteLeavesTheQuery) {
    const Shape shape{6, 8};
    CompressorRanks world("powersgd", 1);
    std::vector<at::Tensor> inputs{normalTensor(shape, 1)};
    world.step(ofRank(2, shape), shape, inputs, 0);
    const at::Tensor before = queryOf(world.rank(0));
    inputs = {at::full({48}, 3e38F)};
    world.step(ofRank(2, shape), shape, inputs, 1);
    const at::Tensor after = queryOf(world.rank(0));
    EXPECT_TRUE(after.isfinite().all().item<bool>());
    EXPECT_TRUE(after[0].equal(before[0])) << after;
}

// methods.md 1.7: Accordion's published volumes count these floats per iteration, plus the dense
// rest of 9,610.
TEST(Powersgd, FloatsSentOnResnetShapesEqualThePublishedOnes) {
    std::vector<Shape> shapes{{64, 3, 3, 3}, {10, 512}};
    for (int i = 0; i < 4; ++i) {
        shapes.push_back({64, 64, 3, 3});
    }
    for (const std::int64_t width : {128, 256, 512}) {
        shapes.push_back({width, width / 2, 3, 3});
        shapes.push_back({width, width / 2, 1, 1});
        for (int i = 0; i < 3; ++i) {
            shapes.push_back({width, width, 3, 3});
        }
    }
    for (const auto& [rank, published] : {std::pair{1, 45935}, {2, 82260}, {4, 154910}}) {
        std::int64_t floats = 9610;
        for (const Shape& shape : shapes) {
            floats +=
                planOf("powersgd", shape, {{"rank", std::int64_t{rank}}}).plan.payloadBytes() / 4;
        }
        EXPECT_EQ(floats, published) << rank;
    }
}

}  // namespace
}  // namespace concertina
