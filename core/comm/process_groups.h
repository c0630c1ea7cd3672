// SPDX-License-Identifier: Apache-2.0
// Joins the ranks of a run: three c10d groups over one store, so that the communication thread, the
// Reducer and the control traffic can never meet each other's messages. Called once at start by the
// training thread. Local runs rendezvous through a FileStore and bind to loopback: no port listens
// outside. Ranks that an outside launcher started meet over TCP and bind to the one interface that
// leads to the meeting point.
#pragma once
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>

#include "core/launch/outside_launcher.h"

namespace concertina {

struct JoinOptions {
    std::filesystem::path rendezvousFile;  // a path no earlier attempt used
    std::optional<MeetingPoint> meeting;   // instead of the file
    int rank = 0, worldSize = 1;
    std::string backend = "gloo";  // of gradients and the Reducer: "gloo" or "nccl"
    c10::Device device = c10::kCPU;
    /// c10d's own defaults are 5 and 30 minutes. A dead peer shows within a second as a closed
    /// connection and a stalled one is the supervisor's business; this bounds a lost network.
    std::chrono::milliseconds timeout = std::chrono::minutes(10);
};

struct ProcessGroups {
    c10::intrusive_ptr<c10d::Backend> gradients;     // communication thread only
    c10::intrusive_ptr<c10d::ProcessGroup> reducer;  // c10d::Reducer only
    c10::intrusive_ptr<c10d::Backend> control;       // training thread only; always Gloo on the CPU
};

/// Blocks until all ranks have joined. Throws Error(RankLost) when they do not within the time-out,
/// Error(Usage) for a backend this build lacks.
ProcessGroups joinRanks(const JoinOptions& options);

/// Whether this build can use NCCL.
bool hasNccl();

}  // namespace concertina
