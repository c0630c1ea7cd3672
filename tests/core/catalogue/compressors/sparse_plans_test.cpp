// SPDX-License-Identifier: Apache-2.0
// Byte plans of the sparse compressors against figures computed by hand.
#include "core/catalogue/compressors/sparse_plans.h"

#include <gtest/gtest.h>

#include "core/catalogue/check.h"

namespace concertina {
namespace {

PhasePlan phaseOf(const char* name,
                  const Shape& shape,
                  const Settings& level,
                  const Settings& options = {}) {
    const CompressorDescriptor& compressor = *findCompressor(name);
    Settings all = defaultsOf(compressor.options);
    for (const auto& [key, value] : options) {
        all[key] = value;
    }
    const BytePlan plan = compressor.plan(shape, level, all);
    EXPECT_EQ(plan.phases.size(), 1U);
    EXPECT_EQ(plan.phases[0].reduction, Reduction::Gather);
    return plan.phases[0];
}

std::int64_t topkBytes(std::int64_t elements, double ratio, const Settings& options = {}) {
    return phaseOf("topk", {1, elements}, {{"ratio", ratio}}, options).payloadBytes;
}

Settings text(const char* key, const char* value) { return {{key, std::string(value)}}; }

// 10 of 1000: 6 lower bits each are 60, two words; a bitmap of 10 + 15 bits, one word.
TEST(SparsePlans, TopkTakesTheSmallerFormOfIndices) {
    EXPECT_EQ(topkBytes(1000, 0.01), 12 + 40);
    EXPECT_EQ(topkBytes(1000, 0.01, text("indices", "elias-fano")), 12 + 40);
    EXPECT_EQ(topkBytes(1000, 0.01, text("indices", "int32")), 40 + 40);
    // One element: 9 lower bits and a bitmap of 2 are two words, an int32 is one.
    EXPECT_EQ(topkBytes(1000, 0.001), 4 + 4);
    EXPECT_EQ(topkBytes(1000, 0.001, text("indices", "elias-fano")), 8 + 4);
    EXPECT_EQ(topkBytes(1000, 1), 4 * ((1000 + 999 + 31) / 32) + 4000);
    EXPECT_EQ(topkBytes(0, 0.5), 0);
}

TEST(SparsePlans, TopkHalvesAreFilledUpToFourBytes) {
    EXPECT_EQ(topkBytes(1000, 0.01, text("values", "fp16")), 12 + 20);
    EXPECT_EQ(topkBytes(1000, 0.001, text("values", "fp16")), 4 + 4);
    EXPECT_EQ(topkBytes(1000, 0.003, text("values", "fp16")), 4 + 4 + 8);  // 3: 24 bits, 3 + 3 bits
}

// 1 % of ResNet-18's 11,173,962 elements: 8.56 bits an index instead of 32.
TEST(SparsePlans, TopkOfTensorsBeyondTwoToThe31Bytes) {
    EXPECT_EQ(topkBytes(11173962, 0.01), 4 * (20952 + 8948) + 4 * 111740);
    // 3 * 10^9 elements, 30 million kept: 6 lower bits each, 30,000,000 + 46,874,999 bits.
    EXPECT_EQ(topkBytes(3000000000, 0.01), 4 * (5625000 + 2402344) + 4 * 30000000LL);
}

TEST(SparsePlans, TopkOfTheModelVariesUpToEverything) {
    const PhasePlan phase = phaseOf("topk", {10, 100}, {{"ratio", 0.01}}, text("scope", "model"));
    EXPECT_TRUE(phase.isVariable());
    EXPECT_EQ(phase.payloadBytes, 4 + 12 + 40);
    EXPECT_EQ(phase.capacityBytes, 4 + 4000);
    EXPECT_EQ(phaseOf("topk", {10, 100}, {{"ratio", 1.0}}, text("scope", "model")).payloadBytes,
              4004);
    EXPECT_FALSE(phaseOf("topk", {10, 100}, {{"ratio", 0.01}}).isVariable());
}

void expectEntries(const char* name,
                   const Settings& level,
                   std::int64_t entriesOfAMillion,
                   const Settings& options = {}) {
    const PhasePlan phase = phaseOf(name, {1000, 1000}, level, options);
    EXPECT_NEAR(static_cast<double>(phase.payloadBytes) / 8, static_cast<double>(entriesOfAMillion),
                1)
        << name;
    EXPECT_EQ(phase.capacityBytes, 4000000);
    // However little is expected, an entry is; however much, no more than the dense gradient.
    EXPECT_EQ(phaseOf(name, {1, 9}, level, options).payloadBytes % 4, 0);
    EXPECT_GE(phaseOf(name, {1, 9}, level, options).payloadBytes, 8);
    EXPECT_LE(phaseOf(name, {1, 9}, level, options).payloadBytes, 36);
    EXPECT_EQ(phaseOf(name, {50000, 50000}, level, options).capacityBytes, 10000000000LL);
}

// Of normal values 13.3614 % lie beyond 1.5 deviations and 0.26998 % beyond 3. The largest of a
// million is about 4.97 deviations, of which half, 2.484, leaves 1.30 %.
TEST(SparsePlans, ThresholdExpectsNormalValues) {
    expectEntries("threshold", {{"threshold", 1.5}}, 133614);
    expectEntries("threshold", {{"threshold", 3.0}}, 2700);
    expectEntries("threshold", {{"threshold", 3.0}}, 2700, text("relative_to", "none"));
    expectEntries("threshold", {{"threshold", 1e6}}, 1, text("relative_to", "none"));
    expectEntries("threshold", {{"threshold", 1e-6}}, 500000);  // 4 bytes of each of a million
    const double half = static_cast<double>(phaseOf("threshold", {1000, 1000}, {{"threshold", 0.5}},
                                                    text("relative_to", "max"))
                                                .payloadBytes) /
                        8;
    EXPECT_NEAR(half, 13000, 150);
    expectEntries("threshold", {{"threshold", 1.0}}, 1, text("relative_to", "max"));
}

TEST(SparsePlans, AdacompExpectsWhatItsSimulationSettlesAt) {
    expectEntries("adacomp", {{"bin", std::int64_t{50}}}, 105263);  // 6 / 57
    expectEntries("adacomp", {{"bin", std::int64_t{500}}}, 11834);
    expectEntries("adacomp", {{"bin", std::int64_t{2147483647}}}, 6);
}

TEST(SparsePlans, VarianceExpectsWhatItsSimulationSettlesAt) {
    expectEntries("variance", {{"alpha", 1.0}}, 85000);
    expectEntries("variance", {{"alpha", 4.0}}, 1328);
    expectEntries("variance", {{"alpha", 0.5}}, 500000);
}

TEST(SparsePlans, DgcExpectsItsRatio) {
    expectEntries("dgc", {{"ratio", 0.05}}, 50000);
    expectEntries("dgc", {{"ratio", 0.001}}, 1000);
    expectEntries("dgc", {{"ratio", 1.0}}, 500000);
}

}  // namespace
}  // namespace concertina
