// SPDX-License-Identifier: Apache-2.0
// Runs whose supervisor died are marked lost before anything is listed. Main thread.
#pragma once
#include <filesystem>

namespace concertina {

/// Does nothing when the store cannot be written now: reading must work on a read-only or busy
/// store.
void markLostRuns(const std::filesystem::path& store);

}  // namespace concertina
