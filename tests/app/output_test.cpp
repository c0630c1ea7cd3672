// SPDX-License-Identifier: Apache-2.0
#include "app/output.h"

#include <gtest/gtest.h>

namespace concertina {
namespace {

TEST(TextTable, NumbersGoRightTextGoesLeft) {
    TextTable table({"name", "accuracy", "status"});
    table.addRow({"dense", "0.8", "done"});
    table.addRow({"x", "-", "failed"});
    EXPECT_EQ(table.text(),
              "name   accuracy  status\n"
              "dense       0.8  done\n"
              "x             -  failed");
}

TEST(TextTable, LettersOfSeveralBytesTakeOneColumn) {
    TextTable table({"a", "b"});
    table.addRow({"±±", "1"});
    table.addRow({"xyz", "2"});
    EXPECT_EQ(table.text(), "a    b\n±±   1\nxyz  2");
}

TEST(TextTable, EscapeSequencesOfANameDoNotReachTheTerminal) {
    TextTable table({"name"});
    table.addRow({"\x1b[31mred\n"});
    EXPECT_EQ(table.text(), "name\n?[31mred?");
}

TEST(Output, PrintableKeepsLettersAndLineBreaks) {
    EXPECT_EQ(printable("Größe\n\x1b[2J\xc2\x9b"
                        "31m\x7f"),
              "Größe\n?[2J??31m?");
    EXPECT_EQ(printable("\xc2"), "\xc2");
}

TEST(Output, NumbersAsPeopleReadThem) {
    EXPECT_EQ(numberText(0.85531), "0.8553");
    EXPECT_EQ(numberText({}), "-");
    EXPECT_EQ(timesText(9.84), "9.8x");
    EXPECT_EQ(timesText(124.4), "124x");
    EXPECT_EQ(timesText({}), "-");
    EXPECT_EQ(ageText(0, 5), "-");
    EXPECT_EQ(ageText(1000, 1000 + 5 * 60'000), "5m");
    EXPECT_EQ(ageText(1000, 1000 + 30 * 3'600'000LL), "30h");
    EXPECT_EQ(ageText(1000, 1000 + 72 * 3'600'000LL), "3d");
    EXPECT_EQ(ageText(10'000, 1000), "0m") << "a clock that was set back";
}

}  // namespace
}  // namespace concertina
