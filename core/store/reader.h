// SPDX-License-Identifier: Apache-2.0
// RunReader: reads a store that others may be writing. Holds no transaction between calls. One
// object per thread; the workbench uses it on its worker thread only. Throws Error(Store) when the
// file is missing, foreign or newer.
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/store/records.h"

namespace concertina {

class RunReader {
 public:
    explicit RunReader(const std::filesystem::path& store);
    ~RunReader();
    RunReader(const RunReader&) = delete;
    RunReader& operator=(const RunReader&) = delete;

    /// Changes whenever another connection committed (PRAGMA data_version): poll this, then read.
    std::int64_t dataVersion();
    std::vector<RunRow> runs();  ///< newest first
    std::optional<RunRow> run(const std::string& id);
    /// By id, unique id prefix, or name (the newest of that name). Throws Error(Usage) naming what
    /// it found otherwise.
    RunRow findRun(const std::string& idOrName);

    std::vector<LayerRow> layers(const std::string& id);
    std::vector<StepRow> steps(const std::string& id, std::int64_t fromStep = 0);
    std::vector<EpochRow> epochs(const std::string& id, int fromEpoch = 0);
    std::vector<LayerEpochRow> layerEpochs(const std::string& id, int fromEpoch = 0);
    std::vector<Decision> decisions(const std::string& id, int fromEpoch = 0);
    std::vector<EventRow> events(const std::string& id);

 private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace concertina
