// SPDX-License-Identifier: Apache-2.0
// What a concertina-rank can do, asked of itself (`concertina-rank --probe`), because core_base
// links no torch. Used by launch checks and by doctor; takes about a second, since it loads torch.
// Any thread that outlives the call.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace concertina {

struct EngineProbe {
    std::string torchVersion{};
    bool cudaBuilt = false;
    int gpus = 0;
    std::vector<std::string> backends{};  // "gloo", "nccl"
    bool hasBackend(const std::string& name) const;
};

/// Throws Error(Machine) when the program is missing, fails, says something else or takes over 30
/// s.
EngineProbe probeEngine(const std::filesystem::path& rankProgram);
/// Reads what --probe printed. Throws Error(Machine).
EngineProbe parseProbe(const std::string& json);

/// Whether this machine has the driver of an NVIDIA GPU: without it there is nothing to ask about
/// CUDA.
bool hasGpuDriver();

}  // namespace concertina
