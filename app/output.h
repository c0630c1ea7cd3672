// SPDX-License-Identifier: Apache-2.0
// What the command line writes: results to stdout, messages and progress to stderr. A reader that
// went away (`| head`) is no error: SIGPIPE is ignored by main() and so are failed writes. Main
// thread.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace concertina {

/// Text of a store as a terminal may see it: control characters, which could be escape sequences,
/// become '?'. Line breaks stay.
std::string printable(std::string text);
/// A line to stdout, flushed: somebody may wait for it.
void printLine(const std::string& line);
/// "concertina: TEXT" to stderr, printable; further lines of the text are indented.
void printMessage(const std::string& text);

/// Columns padded to their widest cell, two blanks apart; the first column to the left, numbers to
/// the right.
class TextTable {
 public:
    explicit TextTable(std::vector<std::string> titles);
    /// REQUIRES: as many cells as titles.
    void addRow(std::vector<std::string> cells);
    std::string text() const;  ///< without the last newline

 private:
    std::vector<std::vector<std::string>> rows_;  // the first holds the titles
};

/// "0.8553", "-" for none; `digits` after the point.
std::string numberText(std::optional<double> value, int digits = 4);
/// "9.8x", "-" for none.
std::string timesText(std::optional<double> value);
/// "4m" ago, "3h", "12d"; "-" for 0.
std::string ageText(std::int64_t thenMs, std::int64_t nowMs);

}  // namespace concertina
