// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/format.h"

#include <gtest/gtest.h>

#include <limits>

namespace concertina::gui {
namespace {

TEST(Format, SharesAndFactorsNameWhatIsNotFinite) {
    EXPECT_EQ(percentText(0.8543), "85.4 %");
    EXPECT_EQ(percentText(std::numeric_limits<double>::quiet_NaN()), "nan");
    EXPECT_EQ(timesText(12.34), QString::fromUtf8("12.3×"));
    EXPECT_EQ(timesText(123.4), QString::fromUtf8("123×"));
    EXPECT_EQ(timesText(std::numeric_limits<double>::infinity()), "inf");
}

}  // namespace
}  // namespace concertina::gui
