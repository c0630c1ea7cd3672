// SPDX-License-Identifier: Apache-2.0
// How many threads a rank computes with. Called once by the mains of concertina-rank, before the
// first tensor.
#pragma once
#include <ATen/Parallel.h>

#include <algorithm>
#include <thread>

#include "core/spec/run_spec.h"

namespace concertina {

/// As asked, or an equal share of the cores for the ranks of this machine.
inline void useThreads(const RunSpec& spec, int ranksHere) {
    const auto asked = static_cast<int>(integerOf(spec.ranks, "threads_per_rank"));
    const auto cores = static_cast<int>(std::thread::hardware_concurrency());
    at::set_num_threads(asked > 0 ? asked : std::max(1, cores / ranksHere));
    at::set_num_interop_threads(1);
}

}  // namespace concertina
