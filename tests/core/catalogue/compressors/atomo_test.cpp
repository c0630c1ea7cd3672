// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/compressors/atomo.h"

#include <gtest/gtest.h>

namespace concertina {
namespace {

Settings budget(double atoms) { return {{"budget", atoms}}; }

BytePlan planOf(const Shape& shape, double atoms, const char* basis) {
    return findCompressor("atomo")->plan(shape, budget(atoms), {{"basis", std::string(basis)}});
}

TEST(AtomoPlan, ExpectsBudgetTimesTheBytesOfAnAtomByHand) {
    const BytePlan singular = planOf({16, 6, 5, 5}, 3, "singular");
    ASSERT_EQ(singular.phases.size(), 1U);
    EXPECT_EQ(singular.phases[0].reduction, Reduction::Gather);
    EXPECT_EQ(singular.phases[0].payloadBytes, 3 * 4 * (16 + 150));
    EXPECT_EQ(singular.phases[0].capacityBytes, 4 * 16 * 150);
    EXPECT_EQ(singular.effectiveLevel, "budget 3.0 (s 3.0)");
    const BytePlan entry = planOf({10, 100}, 20, "entry");
    EXPECT_EQ(entry.phases[0].payloadBytes, 8 * 20);
    EXPECT_EQ(entry.phases[0].capacityBytes, 4 * 1000);
    EXPECT_TRUE(entry.phases[0].isVariable());
}

TEST(AtomoPlan, BelowOneIsAShareOfTheAtomsAndOneIsOneAtom) {
    const MatrixSize matrix{20, 50};
    EXPECT_EQ(atomBudget(matrix, budget(0.1), true), 100);
    EXPECT_EQ(atomBudget(matrix, budget(0.1), false), 2);
    EXPECT_EQ(atomBudget(matrix, budget(0.01), false), 1);  // at least one
    EXPECT_EQ(atomBudget(matrix, budget(1), true), 1);
    EXPECT_EQ(atomBudget(matrix, budget(1), false), 1);
    EXPECT_EQ(atomBudget(matrix, budget(2.5), false), 2.5);
    EXPECT_EQ(atomBudget(matrix, budget(1e9), true), 1000);
    EXPECT_EQ(atomBudget(matrix, budget(1e9), false), 20);
    EXPECT_EQ(atomBudget({0, 5}, budget(0.5), true), 0);
}

TEST(AtomoPlan, NeverPlansMoreThanTheMatrix) {
    EXPECT_EQ(planOf({4, 5}, 4, "singular").payloadBytes(), 4 * 20);
    EXPECT_EQ(planOf({4, 5}, 20, "entry").payloadBytes(), 4 * 20);
    const Settings options{{"basis", std::string("entry")}};
    EXPECT_EQ(planLayer(*findCompressor("atomo"), {4, 5}, budget(20), options, 2).effectiveLevel,
              "dense: not worth it");
}

TEST(AtomoPlan, FractionsOfAnAtomAreRoundedUpToWholeFloats) {
    EXPECT_EQ(planOf({10, 100}, 1.1, "entry").payloadBytes(), 12);  // 8.8
    EXPECT_EQ(planOf({10, 100}, 1.5, "entry").payloadBytes(), 12);
}

TEST(AtomoPlan, BytesOfVeryLargeTensorsDoNotOverflow) {
    const Shape shape{65536, 65536};
    EXPECT_EQ(planOf(shape, 0.25, "entry").payloadBytes(), std::int64_t{8} << 30);
    EXPECT_EQ(planOf(shape, 0.25, "entry").phases[0].capacityBytes, std::int64_t{16} << 30);
    EXPECT_EQ(planOf(shape, 10000, "singular").payloadBytes(), std::int64_t{40000} * 131072);
}

}  // namespace
}  // namespace concertina
