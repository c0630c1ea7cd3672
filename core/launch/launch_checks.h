// SPDX-License-Identifier: Apache-2.0
// What must hold on this machine before a rank starts, and what `auto` means here. launchProblems()
// and defaultRankProgram() are in supervisor.h. Any thread.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "core/launch/engine_probe.h"
#include "core/spec/run_spec.h"

namespace concertina {

/// The spec with device and backend as they are on this machine: CUDA where the engine has it and
/// there is a GPU for each rank, else the CPU; nccl on CUDA, gloo on the CPU. Asks the engine only
/// on a machine with a GPU driver.
RunSpec resolveMachine(const RunSpec& spec, const std::filesystem::path& rankProgram);

/// The same on a known engine; pure.
RunSpec resolveMachine(const RunSpec& spec, const EngineProbe& engine);
/// Why these ranks cannot run on that engine, one sentence each; pure. `spec` as the user wrote it.
std::vector<std::string> machineProblems(const RunSpec& spec,
                                         const EngineProbe& engine,
                                         bool gpuDriver);

/// Threads each rank may use: as asked, or an equal share of the cores.
int threadsPerRank(const RunSpec& spec, int cores);

/// Throws Error(Usage) with all of launchProblems() if there are any.
void requireLaunchable(const RunSpec& spec, const std::filesystem::path& rankProgram);

}  // namespace concertina
