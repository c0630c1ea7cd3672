// SPDX-License-Identifier: Apache-2.0
// The rules of the house that a machine can check without compiling: lengths, licence lines, names,
// words that must not stay, tests that mirror sources, tables that name every member. Called by the
// layering tests only.
#pragma once
#include <vector>

#include "tests/layering/source_tree.h"

namespace concertina::layering {

/// A file that may break a rule, and why. One that breaks it no longer is a fault: lists only
/// shrink.
struct Exception {
    std::string path;
    std::string reason;
};

/// Sources over 400 lines and headers over 200 must be in `exceptions`; over 600 and 300 nothing
/// helps; lines over 100 columns never.
std::vector<Fault> lengthFaults(const SourceTree& tree, const std::vector<Exception>& exceptions);
/// The SPDX tag is the first line (the second after #!): GPL for gui and what links it, Apache-2.0
/// elsewhere.
std::vector<Fault> licenceFaults(const SourceTree& tree);
/// Files and folders of code are snake_case.
std::vector<Fault> nameFaults(const SourceTree& tree);
/// Notes to self, names of package hosts, folders of one machine.
std::vector<Fault> wordFaults(const SourceTree& tree);
/// Nothing below app/ ends the process or prints.
std::vector<Fault> exitFaults(const SourceTree& tree);
/// gui is compiled without Qt's keyword macros.
std::vector<Fault> qtKeywordFaults(const SourceTree& tree);
/// tests/a/b_test.cpp tests a/b.cpp or a/b.h, and some CMakeLists.txt below tests names it.
/// Those of `exceptions` test no single file.
std::vector<Fault> testFaults(const SourceTree& tree, const std::vector<Exception>& exceptions);
/// Each member of a family (a .cpp without a header of its own) is named in the family's table.
std::vector<Fault> familyFaults(const SourceTree& tree);

}  // namespace concertina::layering
