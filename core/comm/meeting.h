// SPDX-License-Identifier: Apache-2.0
// Where the ranks of several machines find each other: a c10d TCPStore at MASTER_ADDR:MASTER_PORT.
// Used by joinRanks.
#pragma once
#include <chrono>
#include <string>

#include <torch/csrc/distributed/c10d/Store.hpp>

#include "core/launch/outside_launcher.h"

namespace concertina {

/// The store. Rank 0 listens at that address and no other, unless the launcher does; the others
/// connect within `timeout`. Throws Error(Usage) for an address that is not this machine's (rank 0)
/// or cannot be found, Error(Machine) for a port in use; what c10d throws otherwise.
c10::intrusive_ptr<c10d::Store> meet(const MeetingPoint& point,
                                     bool isRankZero,
                                     std::chrono::milliseconds timeout);

/// This machine's address on the interface that leads to the meeting point: collectives bind to it.
/// Throws Error(Usage) where there is no way there.
std::string addressTowards(const MeetingPoint& point);

}  // namespace concertina
