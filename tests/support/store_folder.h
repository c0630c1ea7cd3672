// SPDX-License-Identifier: Apache-2.0
// What tests of the store share: a folder of their own and plausible rows.
#pragma once
#include <filesystem>
#include <string>

#include "core/store/records.h"
#include "tests/support/temp_folder.h"

namespace concertina {

/// A folder with a place for a store.
class StoreFolder : public TempFolder {
 public:
    std::filesystem::path file() const { return path() / "runs.sqlite"; }
};

/// A queued run of 2 ranks and 4 epochs, created at 1000 ms, with the greatest seed there is.
RunRow exampleRun(const std::string& id);
/// 10 steps, 1 s, 100 payload, 200 wire, 2000 dense wire bytes; loss 0.25, accuracy 0.75.
EpochRow exampleEpoch(int epoch);

}  // namespace concertina
