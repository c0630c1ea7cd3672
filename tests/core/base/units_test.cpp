// SPDX-License-Identifier: Apache-2.0
#include "core/base/units.h"

#include <gtest/gtest.h>

#include <limits>

namespace concertina {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(Units, EpochsAreShownFromOne) {
    EXPECT_EQ(shownEpoch(0), 1);
    EXPECT_EQ(shownEpoch(9), 10);
}

TEST(Units, BytesInDecimalUnits) {
    EXPECT_EQ(formatBytes(0), "0 B");
    EXPECT_EQ(formatBytes(812), "812 B");
    EXPECT_EQ(formatBytes(999.4), "999 B");
    EXPECT_EQ(formatBytes(999.6), "1.0 kB");
    EXPECT_EQ(formatBytes(1200), "1.2 kB");
    EXPECT_EQ(formatBytes(999'949), "999.9 kB");
    EXPECT_EQ(formatBytes(999'950), "1.0 MB");
    EXPECT_EQ(formatBytes(1.2e6), "1.2 MB");
    EXPECT_EQ(formatBytes(30.44e9), "30.4 GB");
    EXPECT_EQ(formatBytes(5e18), "5000.0 PB");
    EXPECT_EQ(formatBytes(-1500), "-1.5 kB");
    EXPECT_EQ(formatBytes(kInf), "inf B");
}

TEST(Units, DurationsGrowIntoLargerUnits) {
    EXPECT_EQ(formatDuration(0), "0.0 s");
    EXPECT_EQ(formatDuration(0.44), "0.4 s");
    EXPECT_EQ(formatDuration(9.94), "9.9 s");
    EXPECT_EQ(formatDuration(9.96), "10 s");
    EXPECT_EQ(formatDuration(59.4), "59 s");
    EXPECT_EQ(formatDuration(59.6), "1 min 00 s");
    EXPECT_EQ(formatDuration(200), "3 min 20 s");
    EXPECT_EQ(formatDuration(3599.6), "1 h 00 min");
    EXPECT_EQ(formatDuration(7500), "2 h 05 min");
    EXPECT_EQ(formatDuration(273'600), "3 d 04 h");
    EXPECT_EQ(formatDuration(-1), "unknown");
    EXPECT_EQ(formatDuration(kInf), "unknown");
    EXPECT_EQ(formatDuration(1e300), "unknown");
}

TEST(Units, CountsInGroupsOfThree) {
    EXPECT_EQ(formatCount(0), "0");
    EXPECT_EQ(formatCount(999), "999");
    EXPECT_EQ(formatCount(61'706), "61,706");
    EXPECT_EQ(formatCount(-1'234'567), "-1,234,567");
    EXPECT_EQ(formatCount(-123), "-123");
}

TEST(Units, NumbersInThreeDigits) {
    EXPECT_EQ(formatNumber(0.6249), "0.625");
    EXPECT_EQ(formatNumber(0.5), "0.5");
    EXPECT_EQ(formatNumber(0.6249, 2), "0.62");
    EXPECT_EQ(formatNumber(std::numeric_limits<double>::quiet_NaN()), "nan");
    EXPECT_EQ(formatNumber(-kInf), "-inf");
}

}  // namespace
}  // namespace concertina
