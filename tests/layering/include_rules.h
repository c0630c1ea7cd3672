// SPDX-License-Identifier: Apache-2.0
// Who may include what: the table of core/README.md and the walls between torch, Qt and CUDA. A
// missing link error is no proof: a header-only use of the wrong folder links. Called by the
// layering tests only.
#pragma once
#include <vector>

#include "tests/layering/source_tree.h"

namespace concertina::layering {

/// Quoted includes name an existing file from the root, and follow the direction of the folders.
std::vector<Fault> includeFaults(const SourceTree& tree);
/// torch stays in the training folders, Qt in gui and the workbench; never both in one file.
std::vector<Fault> libraryFaults(const SourceTree& tree);
/// No CUDA or NCCL switch of the preprocessor and no CUDA header outside kernels and core/comm.
std::vector<Fault> cudaFaults(const SourceTree& tree);

}  // namespace concertina::layering
