// SPDX-License-Identifier: Apache-2.0
// Which device and backend a rank really uses: the spec's "auto" resolved against this build and
// this machine. Called once at start, and by `concertina-rank --probe`.
#pragma once
#include <c10/core/Device.h>

#include <string>

#include "core/spec/run_spec.h"

namespace concertina {

struct DeviceChoice {
    c10::Device device = c10::kCPU;
    std::string backend;  // of gradients: "gloo" or "nccl"
};

/// GPUs this build can use: 0 without the CUDA engine.
int gpuCount();

/// Throws Error(Usage) when the spec asks for what is not there: a GPU that is missing, or NCCL
/// with fewer GPUs than ranks (two ranks on one GPU need backend = "gloo").
/// `localRank` of at least `localRanks` on this machine.
DeviceChoice chooseDevice(const RunSpec& spec, int localRank, int localRanks);

/// Compute threads of this process: as asked, or an equal share of the cores for the ranks of this
/// machine. Before the first tensor.
void useThreads(const RunSpec& spec, int ranksHere);

}  // namespace concertina
