// SPDX-License-Identifier: Apache-2.0
#include "core/train/device.h"

#include <ATen/Parallel.h>
#include <torch/cuda.h>

#include <algorithm>
#include <thread>

#include "core/base/error.h"
#include "core/comm/process_groups.h"

namespace concertina {

int gpuCount() { return hasNccl() ? static_cast<int>(torch::cuda::device_count()) : 0; }

DeviceChoice chooseDevice(const RunSpec& spec, int localRank, int localRanks) {
    const std::string& device = textOf(spec.ranks, "device");
    const std::string& backend = textOf(spec.ranks, "backend");
    const int gpus = gpuCount();
    if (device == "cuda" && gpus == 0) {
        throw Error(ErrorKind::Usage,
                    hasNccl() ? "ranks.device is \"cuda\", but no GPU was found: use \"cpu\""
                              : "ranks.device is \"cuda\", but this build has no CUDA engine: use "
                                "\"cpu\", or build with WITH_CUDA_ENGINE=ON");
    }
    const bool cuda =
        device == "cuda" || (device == "auto" && backend != "gloo" && gpus >= localRanks);
    DeviceChoice choice;
    choice.backend = backend == "auto" ? (cuda && gpus >= localRanks ? "nccl" : "gloo") : backend;
    if (choice.backend == "nccl" && (!cuda || gpus < localRanks)) {
        throw Error(ErrorKind::Usage,
                    "ranks.backend is \"nccl\", which needs a GPU per rank: found " +
                        std::to_string(gpus) + " for " + std::to_string(localRanks) +
                        " ranks of this machine; use backend = \"gloo\"");
    }
    if (cuda) {
        choice.device = c10::Device(c10::kCUDA, static_cast<c10::DeviceIndex>(localRank % gpus));
    }
    return choice;
}

void useThreads(const RunSpec& spec, int ranksHere) {
    const auto asked = static_cast<int>(integerOf(spec.ranks, "threads_per_rank"));
    const auto cores = static_cast<int>(std::thread::hardware_concurrency());
    at::set_num_threads(asked > 0 ? asked : std::max(1, cores / ranksHere));
    at::set_num_interop_threads(1);
}

}  // namespace concertina
