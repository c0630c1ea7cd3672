// SPDX-License-Identifier: Apache-2.0
// What is special to TopK; what every compressor must hold is in
// tests/contract/compressor_test.cpp.
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cstring>

#include "core/base/error.h"
#include "core/compress/compressor.h"
#include "tests/contract/compressor_ranks.h"
#include "tests/core/compress/single_layer.h"

namespace concertina {
namespace {

const Shape kShape{2, 4};
const Settings kInt32{{"indices", std::string("int32")}};
const Settings kHalves{{"values", std::string("fp16")}};
const Settings kModel{{"scope", std::string("model")}};

LevelPlan atRatio(double ratio, const Shape& shape = kShape, const Settings& options = {}) {
    return planOf("topk", shape, {{"ratio", ratio}}, options);
}

std::vector<float> floatsIn(const at::Tensor& payload, std::int64_t offset, std::int64_t count) {
    std::vector<float> values(static_cast<std::size_t>(count));
    std::memcpy(values.data(), static_cast<const char*>(payload.const_data_ptr()) + offset,
                values.size() * sizeof(float));
    return values;
}

std::uint32_t wordIn(const at::Tensor& payload, std::int64_t word) {
    return static_cast<const std::uint32_t*>(payload.const_data_ptr())[word];
}

/// Every way a message can be written.
std::vector<Settings> allOptions() {
    std::vector<Settings> all;
    for (const char* values : {"fp32", "fp16"}) {
        for (const char* indices : {"auto", "int32", "elias-fano"}) {
            for (const char* scope : {"layer", "model"}) {
                all.push_back({{"values", std::string(values)},
                               {"indices", std::string(indices)},
                               {"scope", std::string(scope)}});
            }
        }
    }
    return all;
}

TEST(Topk, TwoRanksByHand) {
    for (const Settings& options : allOptions()) {
        SCOPED_TRACE(toText(options));
        CompressorRanks world("topk", 2, 1, options);
        std::vector<at::Tensor> inputs{at::tensor({1.F, -8.F, 2.F, 0.F, 0.F, 4.F, 0.F, 0.F}),
                                       at::tensor({1.F, 6.F, 2.F, 0.F, 0.F, 0.F, 0.F, -2.5F})};
        const at::Tensor mean = world.step(atRatio(0.25, kShape, options), kShape, inputs);
        EXPECT_TRUE(mean.equal(at::tensor({0.F, -1.F, 0.F, 0.F, 0.F, 2.F, 0.F, -1.25F})));
        EXPECT_TRUE(inputs[0].equal(at::tensor({1.F, 0.F, 2.F, 0.F, 0.F, 0.F, 0.F, 0.F})));
        EXPECT_TRUE(inputs[1].equal(at::tensor({1.F, 0.F, 2.F, 0.F, 0.F, 0.F, 0.F, 0.F})));
    }
}

TEST(Topk, ThePayloadIsIndicesThenValues) {
    CompressorRanks world("topk", 1, 1, kInt32);
    std::vector<at::Tensor> inputs{at::tensor({1.F, -8.F, 2.F, 0.F, 0.F, 4.F, 0.F, 0.F})};
    world.step(atRatio(0.375, kShape, kInt32), kShape, inputs);
    const at::Tensor& payload = world.sent()[0];
    ASSERT_EQ(payload.numel(), 24);
    EXPECT_EQ(wordIn(payload, 0), 1U);
    EXPECT_EQ(wordIn(payload, 1), 2U);
    EXPECT_EQ(wordIn(payload, 2), 5U);
    EXPECT_EQ(floatsIn(payload, 12, 3), (std::vector<float>{-8, 2, 4}));
}

// Elements 1, 2 and 5 of 8: one lower bit each, 1 0 1; upper parts 0, 1, 2 at 0, 2 and 4.
TEST(Topk, IndicesTravelAsEliasFanoWhereThatIsShorter) {
    CompressorRanks world("topk", 1);
    std::vector<at::Tensor> inputs{at::tensor({1.F, -8.F, 2.F, 0.F, 0.F, 4.F, 0.F, 0.F})};
    world.step(atRatio(0.375), kShape, inputs);
    const at::Tensor& payload = world.sent()[0];
    ASSERT_EQ(payload.numel(), 20);
    EXPECT_EQ(wordIn(payload, 0), 0b101U);
    EXPECT_EQ(wordIn(payload, 1), 0b10101U);
    EXPECT_EQ(floatsIn(payload, 8, 3), (std::vector<float>{-8, 2, 4}));
}

// 1 + 2^-11 is halfway between two halves and goes to the even one; the rest stays here.
TEST(Topk, HalvesLeaveWhatTheyRoundInTheResidual) {
    CompressorRanks world("topk", 1, 1, kHalves);
    const float halfway = 1 + 0x1p-11F;
    std::vector<at::Tensor> inputs{at::tensor({0.F, halfway, 0.25F, 0.F, -3.F, 1e6F, 0.F, 0.F})};
    const at::Tensor mean = world.step(atRatio(0.375, kShape, kHalves), kShape, inputs);
    EXPECT_EQ(world.sent()[0].numel(), 16);  // 8 of indices, 6 of values, 2 of zeros
    EXPECT_EQ(wordIn(world.sent()[0], 3) >> 16, 0U);
    const float largest = mean[5].item<float>();
    EXPECT_GT(largest, 65000);
    EXPECT_LE(largest, 65504);  // the largest half; the residual has the rest
    EXPECT_TRUE(mean.equal(at::tensor({0.F, 1.F, 0.F, 0.F, -3.F, largest, 0.F, 0.F})));
    EXPECT_TRUE(
        inputs[0].equal(at::tensor({0.F, 0x1p-11F, 0.25F, 0.F, 0.F, 1e6F - largest, 0.F, 0.F})));
}

// Whole numbers and a power of two of ranks: nothing rounds, so nothing may be lost, whatever is
// kept and however it travels.
TEST(Topk, ResidualsAndMeanAddUpExactly) {
    const Shape shape{40, 50};
    for (const Settings& options : allOptions()) {
        for (const double ratio : {0.0005, 0.01, 0.3, 0.9995, 1.0}) {
            CompressorRanks world("topk", 4, 1, options);
            std::vector<at::Tensor> inputs;
            for (int rank = 0; rank < 4; ++rank) {
                inputs.push_back(wholeTensor(shape, 1000, rank));
            }
            const at::Tensor before = sumOf(inputs);
            const at::Tensor mean = world.step(atRatio(ratio, shape, options), shape, inputs);
            EXPECT_TRUE((sumOf(inputs) + mean.to(at::kDouble) * 4).equal(before))
                << ratio << " " << toText(options);
        }
    }
}

TEST(Topk, KeepingAllLeavesNoResidual) {
    CompressorRanks world("topk", 1);
    std::vector<at::Tensor> inputs{normalTensor(kShape, 1)};
    const at::Tensor input = inputs[0].clone();
    EXPECT_TRUE(world.step(atRatio(1), kShape, inputs).equal(input));
    EXPECT_EQ(inputs[0].ne(0).sum().item<std::int64_t>(), 0);
}

std::string errorOf(double ratio, const Settings& options, const at::Tensor& words) {
    SingleLayer layer("topk", at::zeros({8}), {{"ratio", ratio}}, options);
    const at::Tensor combined = words.view(at::kByte).view({1, -1});
    layer.work.rowBytes = {combined.numel()};
    try {
        compressorWith("topk", options)->decode(0, layer.work, combined);
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(Topk, ACorruptedPayloadIsAnErrorNotAWriteElsewhere) {
    EXPECT_EQ(errorOf(0.125, kInt32, at::tensor({8, 0}, at::kInt)),
              "the sparse list of rank 0 names element 8 at position 0, but the tensor has "
              "elements 0 to 7");
    EXPECT_EQ(errorOf(0.25, kInt32, at::tensor({5, 5, 0, 0}, at::kInt)),
              "the sparse list of rank 0 names element 5 at position 1 after element 5, but "
              "elements are named in ascending order");
    EXPECT_EQ(errorOf(0.375, {}, at::tensor({5, 1, 0, 0, 0}, at::kInt)),
              "the index bitmap of rank 0 has 1 bits set, but stands for 3 elements");
    EXPECT_EQ(errorOf(0.375, {}, at::tensor({0, 0b111000, 0, 0, 0}, at::kInt)),
              "the sparse list of rank 0 names element 6 at position 1 after element 6, but "
              "elements are named in ascending order");
    for (const int kept : {0, 2, 9, -1}) {
        EXPECT_EQ(errorOf(0.375, kModel, at::tensor({kept, 0, 0}, at::kInt)),
                  "the sparse message of rank 0 has 12 bytes, which is not what " +
                      std::to_string(kept) + " of 8 elements take");
    }
}

// A bucket's layers travel in one all-gather, so the rows of one layer lie a whole bucket apart.
TEST(Topk, RowsOfTheGatheredPayloadMayLieApart) {
    const auto topk = compressorWith("topk", kInt32, 2);
    SingleLayer layer("topk", at::zeros({8}), {{"ratio", 0.125}}, kInt32);
    const int four = 0x40800000;  // as fp32
    const int two = 0x40000000;
    const at::Tensor bucket =
        at::tensor({0, 0, 7, four, 0, 0, 0, 7, two, 0}, at::kInt).view({2, 5});
    topk->decode(0, layer.work, bucket.view(at::kByte).narrow(1, 8, 8));
    EXPECT_EQ(layer.work.output[7].item<float>(), 3);
}

TEST(Topk, APlanThatDoesNotFitTheTensorIsABug) {
    CompressorRanks world("topk", 1);
    std::vector<at::Tensor> inputs{normalTensor(kShape, 1)};
    LevelPlan plan = atRatio(0.25);
    plan.plan.phases[0].payloadBytes += 4;
    EXPECT_THROW(world.step(plan, kShape, inputs), std::logic_error);
}

// 4 of 12 elements of two layers: 9, 8, 7 and 5; a third layer at another level looks for its own.
TEST(Topk, ScopeModelLooksForTheLargestOfAllLayersOfALevel) {
    const auto topk = compressorWith("topk", kModel);
    ASSERT_TRUE(topk->wantsOneBucket());
    const Settings third{{"ratio", 1 / 3.0}}, sixth{{"ratio", 1 / 6.0}};
    SingleLayer a("topk", at::tensor({1.F, 9.F, -8.F, 0.F, 7.F, 1.F}), third, kModel, 3);
    SingleLayer b("topk", at::tensor({1.F, 2.F, -5.F, 0.F, 4.F, 1.F}), third, kModel, 5);
    SingleLayer c("topk", at::tensor({1.F, 2.F, -3.F, 0.F, 0.F, 1.F}), sixth, kModel, 6);
    LayerWork* const bucket[] = {&a.work, &b.work, &c.work};
    topk->prepare(bucket);

    const at::Tensor ofA = a.send(*topk);  // half of its elements: all follow
    EXPECT_EQ(ofA.numel(), 4 + 24);
    EXPECT_EQ(wordIn(ofA, 0), 6U);
    EXPECT_EQ(floatsIn(ofA, 4, 6), (std::vector<float>{1, 9, -8, 0, 7, 1}));
    EXPECT_EQ(a.work.input.count_nonzero().item<std::int64_t>(), 0);

    const at::Tensor ofB = b.send(*topk);
    EXPECT_EQ(ofB.numel(), 12);
    EXPECT_EQ(wordIn(ofB, 0), 1U);
    EXPECT_EQ(wordIn(ofB, 1), 2U);
    EXPECT_EQ(floatsIn(ofB, 8, 1), (std::vector<float>{-5}));
    EXPECT_TRUE(b.work.output.equal(at::tensor({0.F, 0.F, -5.F, 0.F, 0.F, 0.F})));
    EXPECT_TRUE(b.work.input.equal(at::tensor({1.F, 2.F, 0.F, 0.F, 4.F, 1.F})));

    EXPECT_EQ(floatsIn(c.send(*topk), 8, 1), (std::vector<float>{-3}));
}

TEST(Topk, ScopeModelMayLeaveALayerEmpty) {
    const auto topk = compressorWith("topk", kModel, 2);
    SingleLayer large("topk", at::tensor({9.F, 8.F, 7.F, 6.F}), {{"ratio", 0.5}}, kModel, 0);
    SingleLayer small("topk", at::full({4}, 1.F), {{"ratio", 0.5}}, kModel, 1);
    LayerWork* const bucket[] = {&large.work, &small.work};
    topk->prepare(bucket);
    topk->encode(0, small.work, at::zeros({20}, at::kByte));
    EXPECT_EQ(small.work.writtenBytes, 0);
    small.work.rowBytes = {0, 0};
    topk->decode(0, small.work, at::zeros({2, 0}, at::kByte));
    EXPECT_TRUE(small.work.output.eq(0).all().item<bool>());
    EXPECT_TRUE(small.work.input.eq(1).all().item<bool>());
}

}  // namespace
}  // namespace concertina
