// SPDX-License-Identifier: Apache-2.0
// What a run needs before its first rank: its row, its files, the ranks' command lines. Used by the
// supervisor.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "core/launch/supervisor.h"

namespace concertina {

/// The row as it is created. `resolved` is the spec as it is on this machine (resolveMachine).
/// Throws Error(Usage) for an id that cannot name a folder.
RunRow rowOf(const RunRequest& request, const RunSpec& resolved);

/// What differs between ranks and attempts.
struct RankPlace {
    std::filesystem::path specFile, rendezvous;
    int rank, boardFd;
    std::filesystem::path checkpoint{};  // to go on from; empty: from the start
};
/// concertina-rank's command line: the contract with app/rank_main.cpp.
std::vector<std::string> rankArguments(const RunRequest& request,
                                       const RunRow& row,
                                       const RankPlace& place);

/// Replaces the file. Throws Error(Machine).
void writeTextFile(const std::filesystem::path& file, const std::string& text);

}  // namespace concertina
