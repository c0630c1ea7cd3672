// SPDX-License-Identifier: Apache-2.0
#include "core/base/value.h"

#include <gtest/gtest.h>

#include <limits>

namespace concertina {
namespace {

TEST(Value, TextReadsBackEqualAndKeepsItsType) {
    EXPECT_EQ(toText(Value(std::int64_t{4})), "4");
    EXPECT_EQ(toText(Value(4.0)), "4.0");
    EXPECT_EQ(toText(Value(0.1)), "0.1");
    EXPECT_EQ(toText(Value(1e-4)), "0.0001");
    EXPECT_EQ(toText(Value(1e300)), "1e+300");
    EXPECT_EQ(toText(Value(std::numeric_limits<double>::quiet_NaN())), "nan");
    EXPECT_EQ(toText(Value(-std::numeric_limits<double>::infinity())), "-inf");
    EXPECT_EQ(toText(Value(true)), "true");
    EXPECT_EQ(toText(Value(std::vector<std::int64_t>{15, 24})), "[15, 24]");
    EXPECT_EQ(toText(Value(std::vector<std::int64_t>{})), "[]");
}

TEST(Value, LevelIsShownWithItsParameterNames) {
    EXPECT_EQ(toText(Settings{{"rank", std::int64_t{4}}}), "rank 4");
    EXPECT_EQ(toText(Settings{{"bits", std::int64_t{4}}, {"bucket", std::int64_t{512}}}),
              "bits 4, bucket 512");
}

TEST(Value, AccessorsRefuseWhatIsMissingOrOfAnotherType) {
    const Settings settings{{"lr", 0.1}, {"epochs", std::int64_t{3}}};
    EXPECT_EQ(realOf(settings, "lr"), 0.1);
    EXPECT_EQ(realOf(settings, "epochs"), 3.0);
    EXPECT_EQ(integerOf(settings, "epochs"), 3);
    EXPECT_THROW(integerOf(settings, "lr"), std::logic_error);
    EXPECT_THROW(textOf(settings, "absent"), std::logic_error);
}

}  // namespace
}  // namespace concertina
