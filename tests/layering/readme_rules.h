// SPDX-License-Identifier: Apache-2.0
// What the README files promise: paths that exist, and few lines. Called by the layering tests
// only.
#pragma once
#include <vector>

#include "tests/layering/source_tree.h"

namespace concertina::layering {

/// Every path in backticks in a .md file exists, seen from the root or from the file's own folder.
/// A word in backticks is a path when it has a slash or the ending of a file of ours, and none of
/// the signs of a command, a formula or a pattern.
std::vector<Fault> pathFaults(const SourceTree& tree);
/// A README below the root has at most 40 lines, and each top-level folder of `folders` has one.
std::vector<Fault> readmeFaults(const SourceTree& tree, const std::vector<std::string>& folders);

}  // namespace concertina::layering
