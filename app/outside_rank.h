// SPDX-License-Identifier: Apache-2.0
// `concertina-rank SPEC`: a rank that torchrun --no-python, srun or mpirun started. Main thread.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace concertina {

struct OutsideArguments {
    std::filesystem::path spec, store;  // an empty store: the user's
    std::vector<std::string> settings;  // --set
};

/// Trains this rank's part to the end and returns its exit code; rank 0 keeps the run's row. Throws
/// Error.
int trainOutside(const OutsideArguments& arguments);

}  // namespace concertina
