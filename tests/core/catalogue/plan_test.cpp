// SPDX-License-Identifier: Apache-2.0
// Byte plans against figures computed by hand and against the published volumes of methods.md §1.7.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "core/catalogue/catalogue.h"
#include "core/catalogue/check.h"
#include "tests/support/conflicts.h"
#include "tests/support/published_shapes.h"

namespace concertina {
namespace {

using Texts = std::vector<std::string>;

Settings rank(std::int64_t r) { return {{"rank", r}}; }
Settings ratio(double share) { return {{"ratio", share}}; }

Settings whole(const char* key, std::int64_t value) { return {{key, value}}; }
Settings text(const char* key, const char* value) { return {{key, std::string(value)}}; }
Settings dtype(const char* name) { return text("dtype", name); }

/// The defaults where nothing is given; for topk indices of 32 bits, whose bytes are easily counted
/// by hand (what else it can do is in compressors/sparse_plans_test.cpp).
Settings optionsOf(const CompressorDescriptor& compressor, Settings given = {}) {
    if (compressor.name == "topk") {
        given.emplace("indices", std::string("int32"));
    }
    given.merge(defaultsOf(compressParametersOf(compressor)));
    return given;
}

/// Before the "not worth it" rule.
BytePlan planWith(const char* name, const Shape& shape, Settings level, Settings options = {}) {
    const CompressorDescriptor& compressor = *findCompressor(name);
    level.merge(defaultsOf(compressor.levelParameters));
    return compressor.plan(shape, level, optionsOf(compressor, std::move(options)));
}

BytePlan plan(const char* name, const Shape& shape, const Settings& level, int worldSize = 2) {
    const CompressorDescriptor& compressor = *findCompressor(name);
    return planLayer(compressor, shape, level, optionsOf(compressor), worldSize);
}

std::int64_t elementsOf(const std::vector<Shape>& shapes) {
    std::int64_t sum = 0;
    for (const Shape& shape : shapes) {
        sum += concertina::elementsOf(shape);
    }
    return sum;
}

TEST(Plan, PowersgdFloatsOfResNet18AreThePublishedOnes) {
    const std::vector<Shape> cifar10 = resNet18Shapes(10);
    ASSERT_EQ(elementsOf(cifar10), 11173962);
    EXPECT_EQ(authorsPowersgdFloats(cifar10, 1), 45935);
    EXPECT_EQ(authorsPowersgdFloats(cifar10, 2), 82260);
    EXPECT_EQ(authorsPowersgdFloats(cifar10, 4), 154910);
    const std::vector<Shape> cifar100 = resNet18Shapes(100);
    ASSERT_EQ(elementsOf(cifar100), 11220132);
    EXPECT_EQ(authorsPowersgdFloats(cifar100, 1), 46115);
    EXPECT_EQ(authorsPowersgdFloats(cifar100, 2), 82530);
    EXPECT_EQ(authorsPowersgdFloats(cifar100, 4), 155360);
}

TEST(Plan, PowersgdFloatsOfVgg19AreThePublishedOnes) {
    const std::vector<Shape> shapes = vgg19Shapes();
    ASSERT_EQ(elementsOf(shapes), 20565834);
    EXPECT_EQ(authorsPowersgdFloats(shapes, 1), 70575);
    EXPECT_EQ(authorsPowersgdFloats(shapes, 2), 123604);  // not published: 17546 + 2 * 53029
    EXPECT_EQ(authorsPowersgdFloats(shapes, 4), 229662);
}

/// Tables 1 to 4 print volumes of 300 epochs with their last digit cut off.
TEST(Plan, VolumesOf300EpochsAreThePublishedOnes) {
    const auto volume = [](std::int64_t floats, double unit) {
        return std::floor(static_cast<double>(300 * kAuthorsIterations * floats) / unit);
    };
    constexpr double kTenthOfMillion = 1e5, kTenthOfBillion = 1e8;
    const std::vector<Shape> cifar10 = resNet18Shapes(10), cifar100 = resNet18Shapes(100);
    EXPECT_EQ(volume(authorsPowersgdFloats(cifar10, 1), kTenthOfMillion), 13504);
    EXPECT_EQ(volume(authorsPowersgdFloats(cifar10, 2), kTenthOfMillion), 24184);
    EXPECT_EQ(volume(authorsPowersgdFloats(cifar100, 1), kTenthOfMillion), 13557);
    EXPECT_EQ(volume(authorsPowersgdFloats(cifar100, 2), kTenthOfMillion), 24263);
    EXPECT_EQ(volume(authorsPowersgdFloats(vgg19Shapes(), 1), kTenthOfMillion), 20749);
    EXPECT_EQ(volume(authorsPowersgdFloats(vgg19Shapes(), 4), kTenthOfMillion), 67520);
    EXPECT_EQ(volume(authorsTopkFloats(cifar10, 0.1), kTenthOfBillion), 2628);
    EXPECT_EQ(volume(authorsTopkFloats(cifar100, 0.25), kTenthOfBillion), 6594);
    // The rows called 99 % sent everything (methods.md 1.3, 19).
    EXPECT_EQ(volume(authorsTopkFloats(cifar10, 1.0), kTenthOfBillion), 26261);
    EXPECT_EQ(volume(authorsTopkFloats(cifar100, 1.0), kTenthOfBillion), 26369);
}

TEST(Plan, PowersgdSendsPThenQAndClampsTheRank) {
    const BytePlan four = plan("powersgd", {16, 6, 5, 5}, rank(4));
    ASSERT_EQ(four.phases.size(), 2U);
    EXPECT_EQ(four.phases[0].payloadBytes, 4 * 16 * 4);
    EXPECT_EQ(four.phases[1].payloadBytes, 4 * 150 * 4);
    EXPECT_EQ(four.phases[0].reduction, Reduction::Sum);
    EXPECT_EQ(four.effectiveLevel, "rank 4");
    // B06: rank 64 of a 6 x 25 matrix is rank 6 (before it is found not worth it).
    const BytePlan clamped = planWith("powersgd", {6, 1, 5, 5}, rank(64));
    EXPECT_EQ(clamped.effectiveLevel, "rank 6");
    EXPECT_EQ(clamped.payloadBytes(), 4 * 6 * (6 + 25));
}

TEST(Plan, TopkKeepsTheCeilingOfRatioTimesElements) {
    const auto kept = [](std::int64_t elements, double share) {
        return planWith("topk", {1, elements}, ratio(share)).payloadBytes() / 8;
    };
    // B07: at least one, at most n, no off-by-one from the decimal.
    EXPECT_EQ(kept(1, 0.01), 1);
    EXPECT_EQ(kept(3, 0.01), 1);
    EXPECT_EQ(kept(99, 0.01), 1);
    EXPECT_EQ(kept(100, 0.01), 1);
    EXPECT_EQ(kept(101, 0.01), 2);
    EXPECT_EQ(kept(100, 0.07), 7);
    EXPECT_EQ(kept(100, 1.0), 100);
    EXPECT_EQ(kept(2, 1e-300), 1);
    EXPECT_EQ(kept(2359296, 0.001), 2360);
    EXPECT_EQ(kept(0, 0.5), 0);
    EXPECT_EQ(planWith("topk", {10, 10}, ratio(0.1)).effectiveLevel, "ratio 0.1 (k 10)");
    EXPECT_EQ(planWith("topk", {10, 10}, ratio(0.1)).phases[0].reduction, Reduction::Gather);
}

TEST(Plan, PowersgdSendsItsFactorsInEachIteration) {
    const BytePlan three = planWith("powersgd", {16, 6, 5, 5}, rank(1), whole("iterations", 3));
    ASSERT_EQ(three.phases.size(), 6U);
    EXPECT_EQ(three.phases[4].payloadBytes, 4 * 16);
    EXPECT_EQ(three.phases[5].payloadBytes, 4 * 150);
    EXPECT_EQ(three.payloadBytes(), 4 * (16 + 150) * 3);
    EXPECT_EQ(three.effectiveLevel, "rank 1, 3 iterations");
}

TEST(Plan, HalvesTakeTwoBytesRoundedUpToFour) {
    const BytePlan half = plan("none", {3, 5}, dtype("fp16"));
    ASSERT_EQ(half.phases.size(), 1U);
    EXPECT_EQ(half.phases[0].reduction, Reduction::SumFp16);
    EXPECT_EQ(half.payloadBytes(), 32);
    EXPECT_EQ(half.effectiveLevel, "fp16");
    EXPECT_EQ(plan("none", {3, 4}, dtype("bf16")).phases[0].reduction, Reduction::SumBf16);
    EXPECT_EQ(plan("none", {3, 4}, dtype("bf16")).payloadBytes(), 24);
    // One half is padded to what one float takes.
    EXPECT_EQ(plan("none", {1, 1}, dtype("bf16")).effectiveLevel, "dense: not worth it");
    EXPECT_EQ(planWith("none", {1 << 20, 1 << 12}, dtype("fp16")).payloadBytes(),
              std::int64_t{1} << 33);
}

TEST(Plan, SignsTakeOneBitAndTheirScales) {
    const Settings l1{{"scale", std::string("l1")}, {"vote", false}};
    const Settings vote{{"scale", std::string("none")}, {"vote", true}};
    EXPECT_EQ(plan("signsgd", {16, 6, 5, 5}, l1).payloadBytes(), 4 + 300);
    EXPECT_EQ(plan("signsgd", {3, 11}, l1).payloadBytes(), 4 + 8);
    EXPECT_EQ(plan("signsgd", {3, 11}, l1).phases[0].reduction, Reduction::Gather);
    EXPECT_EQ(plan("signsgd", {3, 11}, l1).effectiveLevel, "scale l1");
    EXPECT_EQ(plan("signsgd", {3, 11}, vote).effectiveLevel, "scale none, vote");
    EXPECT_EQ(plan("signsgd", {3, 11}, vote).payloadBytes(), 4 + 8);
    EXPECT_EQ(planWith("signsgd", {1 << 20, 1 << 15}, l1).payloadBytes(),
              4 + (std::int64_t{1} << 32));
    // What an all-gather of signs costs grows with the ranks: (W - 1) / 32 against 2 (W - 1) / W.
    EXPECT_FALSE(plan("signsgd", {512, 512}, l1, 63).dense);
    EXPECT_TRUE(plan("signsgd", {512, 512}, l1, 64).dense);
    EXPECT_EQ(plan("onebit", {16, 6, 5, 5}, {}).payloadBytes(), 8 * 16 + 300);
    EXPECT_EQ(plan("onebit", {512, 33}, {}).payloadBytes(), 8 * 512 + 4 * 528);
    EXPECT_EQ(plan("onebit", {8, 16}, {}).effectiveLevel, "one bit");
    EXPECT_TRUE(plan("onebit", {512, 2}, {}).dense);  // means as large as what they stand for
}

TEST(Plan, RandomkSendsValuesWithoutIndices) {
    const BytePlan sparse = plan("randomk", {10, 10}, ratio(0.07));
    ASSERT_EQ(sparse.phases.size(), 1U);
    EXPECT_EQ(sparse.phases[0].reduction, Reduction::Sum);
    EXPECT_EQ(sparse.payloadBytes(), 4 * 7);
    EXPECT_EQ(sparse.effectiveLevel, "ratio 0.07 (k 7)");
    EXPECT_EQ(planWith("randomk", {1 << 20, 1 << 12}, ratio(0.5)).payloadBytes(),
              std::int64_t{1} << 33);
}

TEST(Plan, QsgdSendsANormABucketAndPackedCodes) {
    const Shape shape{3, 1001};  // 3003 elements, 6 buckets
    EXPECT_EQ(planWith("qsgd", shape, {}).payloadBytes(), 4 * 6 + 1504);  // 12012 bits, 376 words
    EXPECT_EQ(planWith("qsgd", shape, {}).effectiveLevel, "bits 4 (s 7)");
    EXPECT_EQ(planWith("qsgd", shape, whole("bits", 2)).payloadBytes(), 4 * 6 + 752);
    EXPECT_EQ(planWith("qsgd", shape, {{"bits", std::int64_t{8}}, {"s", std::int64_t{5}}},
                       whole("bucket", 64))
                  .payloadBytes(),
              4 * 47 + 3004);
    EXPECT_EQ(planWith("qsgd", {1 << 20, 1 << 13}, {}).payloadBytes(),
              (std::int64_t{1} << 26) + (std::int64_t{1} << 32));
    EXPECT_EQ(planWith("qsgd", {1, 1}, {}).payloadBytes(), 8);
}

TEST(Plan, QsgdWithEliasIsVariableWithinItsCapacity) {
    const Settings elias = text("coding", "elias");
    for (const std::int64_t steps : {1, 7, 100, 32767}) {
        for (const Shape& shape : {Shape{1, 1}, {3, 1001}, {512, 512}}) {
            const PhasePlan phase = planWith("qsgd", shape, whole("s", steps), elias).phases[0];
            EXPECT_TRUE(phase.isVariable());
            EXPECT_EQ(phase.payloadBytes % 4, 0);
            EXPECT_EQ(phase.capacityBytes % 4, 0);
            EXPECT_LE(phase.payloadBytes, phase.capacityBytes);
            EXPECT_GE(phase.payloadBytes, 8);
        }
    }
    // s = 7: a level + 1 = 8 has 7 bits (111 000 0), and a sign: 8 bits an element.
    const BytePlan plan = planWith("qsgd", {512, 512}, {}, elias);
    EXPECT_EQ(plan.phases[0].capacityBytes, 12 * 512 + 512 * 512);
    EXPECT_EQ(plan.effectiveLevel, "s 7, elias");
    // Theorem 3.2: at most (3 + 3/2 log2(2 (s^2 + d) / (s (s + sqrt d)))) s (s + sqrt d) + 32 bits.
    const double s = 7;
    const double d = 512;
    const double spread = s * (s + std::sqrt(d));
    const double bits = (3 + 1.5 * std::log2(2 * (s * s + d) / spread)) * spread + 32;
    EXPECT_LT(static_cast<double>(plan.payloadBytes()), 512 * bits / 8);
}

TEST(Plan, QsgdRefusesWhatDoesNotFit) {
    Settings options = optionsOf(*findCompressor("qsgd"));
    const Settings fitting{{"bits", std::int64_t{4}}, {"s", std::int64_t{7}}};
    const Settings larger{{"bits", std::int64_t{4}}, {"s", std::int64_t{8}}};
    EXPECT_EQ(conflictsOf("qsgd", fitting, options), Texts{});
    const std::string steps = "s: found 8 with coding packed and bits 4, allowed there: at most 7";
    EXPECT_EQ(conflictsOf("qsgd", larger, options), Texts{steps});
    options["bucket"] = std::int64_t{100};
    const std::string bucket = "bucket: found 100, allowed: a multiple of 32";
    EXPECT_EQ(conflictsOf("qsgd", larger, options), (Texts{bucket, steps}));
    options["coding"] = std::string("elias");
    EXPECT_EQ(conflictsOf("qsgd", larger, options), Texts{bucket});
}

TEST(Plan, NaturalSendsNineBitsOrNormsAndCodes) {
    const Shape shape{3, 1001};
    EXPECT_EQ(planWith("natural", shape, {}).payloadBytes(), 3380);  // 27027 bits, 845 words
    EXPECT_EQ(planWith("natural", shape, text("coding", "dithering")).payloadBytes(), 4 * 6 + 1504);
    EXPECT_EQ(planWith("natural", {1 << 20, 1 << 13}, {}).payloadBytes(),
              9 * (std::int64_t{1} << 30));
}

TEST(Plan, NaturalRefusesWhatDoesNotFit) {
    const CompressorDescriptor& natural = *findCompressor("natural");
    const Settings& exponent = natural.defaultLevels[0];
    const Settings& dithering = natural.defaultLevels[1];
    Settings options = optionsOf(natural);
    EXPECT_EQ(conflictsOf("natural", dithering, options), Texts{});
    options["error_feedback"] = true;
    EXPECT_EQ(conflictsOf("natural", exponent, options), Texts{});
    EXPECT_EQ(conflictsOf("natural", dithering, options),
              Texts{"coding: found dithering with error_feedback true, allowed there: exponent; "
                    "the noise of dithering may exceed its input, and memory of it would grow"});
    options["bucket"] = std::int64_t{33};
    EXPECT_EQ(conflictsOf("natural", exponent, options),
              Texts{"bucket: found 33, allowed: a multiple of 32"});
}

// An entry is at most sqrt(n) times the rms of n: 3 times that of 9 is one alone, of 8 there is
// none.
TEST(Plan, AThresholdThatNoEntryReachesGoesDense) {
    const Settings three{{"threshold", 3.0}};
    EXPECT_TRUE(planWith("threshold", {2, 4}, three).dense);
    EXPECT_EQ(planWith("threshold", {2, 4}, three).effectiveLevel, "dense: beyond any entry");
    EXPECT_EQ(planWith("threshold", {2, 4}, three).payloadBytes(), 32);
    EXPECT_FALSE(planWith("threshold", {3, 3}, three).dense);
    EXPECT_FALSE(planWith("threshold", {2, 4}, three, text("relative_to", "none")).dense);
    Settings options = optionsOf(*findCompressor("threshold"));
    EXPECT_EQ(conflictsOf("threshold", three, options), Texts{});
    options["relative_to"] = std::string("max");
    EXPECT_EQ(conflictsOf("threshold", three, options),
              Texts{"threshold: found 3.0 with relative_to max, allowed there: at most 1; no entry "
                    "is larger than the largest"});
    EXPECT_EQ(conflictsOf("threshold", {{"threshold", 1.0}}, options), Texts{});
}

TEST(Plan, TerngradSendsTwoBitsAndAScale) {
    const Shape shape{3, 1001};
    EXPECT_EQ(planWith("terngrad", shape, {}).payloadBytes(), 4 + 752);
    EXPECT_EQ(planWith("terngrad", shape, {}).effectiveLevel, "clip 2.5");
    const BytePlan shared = planWith("terngrad", shape, {}, {{"shared_scaler", true}});
    ASSERT_EQ(shared.phases.size(), 2U);
    EXPECT_EQ(shared.phases[0].payloadBytes, 4);
    EXPECT_EQ(shared.phases[1].payloadBytes, 752);
    EXPECT_EQ(planWith("terngrad", {1 << 20, 1 << 14}, {}).payloadBytes(),
              4 + (std::int64_t{1} << 32));
}

TEST(Plan, WhatIsNotSmallerGoesDense) {
    // B05: factors larger than the matrix, and TopK with 60 % of pairs.
    EXPECT_EQ(plan("powersgd", {4, 3}, rank(4)).effectiveLevel, "dense: not worth it");
    EXPECT_EQ(plan("powersgd", {8, 4, 1, 1}, rank(4)).payloadBytes(), 4 * 32);
    EXPECT_EQ(plan("topk", {10, 10}, ratio(0.6)).effectiveLevel, "dense: not worth it");
    // Equal is not smaller: 8 * 50 bytes gathered by 2 ranks = 4 * 100 bytes all-reduced by 2
    // ranks.
    EXPECT_TRUE(plan("topk", {10, 10}, ratio(0.5)).dense);
    EXPECT_FALSE(plan("topk", {10, 10}, ratio(0.49)).dense);
    // What an all-gather costs grows with the ranks: 3 * 8 * 30 > 1.5 * 400 on 4 ranks.
    EXPECT_FALSE(plan("topk", {10, 10}, ratio(0.3), 2).dense);
    EXPECT_TRUE(plan("topk", {10, 10}, ratio(0.3), 4).dense);
    // One rank sends nothing, so payload bytes decide.
    EXPECT_FALSE(plan("topk", {10, 10}, ratio(0.49), 1).dense);
    EXPECT_TRUE(plan("topk", {10, 10}, ratio(0.5), 1).dense);
}

TEST(Plan, VectorsAndScalarsGoDense) {
    for (const CompressorDescriptor& compressor : compressors()) {
        const BytePlan vector =
            planLayer(compressor, {120}, compressor.defaultLevels[0], optionsOf(compressor), 2);
        EXPECT_TRUE(vector.dense);
        EXPECT_EQ(vector.effectiveLevel, "dense");
        EXPECT_EQ(vector.payloadBytes(), 480);
        EXPECT_EQ(planLayer(compressor, {}, compressor.defaultLevels[0], optionsOf(compressor), 2)
                      .payloadBytes(),
                  4);
    }
    EXPECT_EQ(plan("none", {5, 5}, dtype("fp32")).effectiveLevel, "dense");
}

TEST(Plan, AnEmptyTensorSendsNothing) {
    for (const CompressorDescriptor& compressor : compressors()) {
        for (const Settings& level : compressor.defaultLevels) {
            const BytePlan plan = planLayer(compressor, {0, 5}, level, optionsOf(compressor), 2);
            EXPECT_TRUE(plan.dense) << compressor.name;
            EXPECT_EQ(plan.payloadBytes(), 0) << compressor.name;
        }
    }
    const CompressorDescriptor& qsgd = *findCompressor("qsgd");
    const Settings elias = optionsOf(qsgd, text("coding", "elias"));
    EXPECT_EQ(planLayer(qsgd, {0, 5}, qsgd.defaultLevels[0], elias, 2).payloadBytes(), 0);
}

TEST(Plan, WireBytesFollowTheRing) {
    EXPECT_EQ(wireBytes(Reduction::Sum, 1000, 1), 0);
    EXPECT_EQ(wireBytes(Reduction::Sum, 1000, 2), 1000);
    EXPECT_EQ(wireBytes(Reduction::Sum, 1000, 4), 1500);
    EXPECT_EQ(wireBytes(Reduction::Gather, 1000, 1), 0);
    EXPECT_EQ(wireBytes(Reduction::Gather, 1000, 2), 1000);
    EXPECT_EQ(wireBytes(Reduction::Gather, 1000, 4), 3000);
    EXPECT_THROW(wireBytes(Reduction::Sum, 1000, 0), std::logic_error);
    // A two-layer net by hand on 4 ranks: rank 1 of 8 x 16 is 24 floats, times 1.5.
    EXPECT_EQ(plan("powersgd", {8, 16}, rank(1), 4).wireBytes(4), 1.5 * 4 * 24);
    EXPECT_EQ(plan("topk", {8, 16}, ratio(0.01), 4).wireBytes(4), 3 * 8 * 2);
    EXPECT_EQ(plan("none", {8, 16}, dtype("fp32"), 4).wireBytes(4), 1.5 * 512);
}

TEST(Plan, AMatrixHasTheFirstDimensionAsRows) {
    EXPECT_EQ(matrixOf({16, 6, 5, 5}).rows, 16);
    EXPECT_EQ(matrixOf({16, 6, 5, 5}).columns, 150);
    EXPECT_THROW(matrixOf({16}), std::logic_error);
    EXPECT_EQ(concertina::elementsOf(Shape{}), 1);
}

TEST(Plan, DefaultLevelsGoFromMildToStrong) {
    for (const CompressorDescriptor& compressor : compressors()) {
        ASSERT_FALSE(compressor.defaultLevels.empty()) << compressor.name;
        const Settings options = defaultsOf(compressParametersOf(compressor));
        const auto bytesOf = [&](const Settings& level) {
            return compressor.plan({512, 512}, level, options).payloadBytes();
        };
        for (std::size_t i = 1; i < compressor.defaultLevels.size(); ++i) {
            EXPECT_LT(bytesOf(compressor.defaultLevels[i]),
                      bytesOf(compressor.defaultLevels[i - 1]))
                << compressor.name;
        }
    }
}

}  // namespace
}  // namespace concertina
