// SPDX-License-Identifier: Apache-2.0
// A rank that an outside launcher started (torchrun --no-python, srun, mpirun), perhaps on another
// machine: which rank it is, by the launcher's environment, and where the ranks meet. Pure; used by
// concertina-rank at its start.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

namespace concertina {

/// Where ranks of several machines meet: rank 0 listens there, unless the launcher does already.
struct MeetingPoint {
    std::string address;
    std::uint16_t port = 0;
    bool launcherListens = false;
};

struct OutsidePlace {
    std::string launcher;  // "torchrun", "Slurm", "Open MPI": whose variables these are
    int rank = 0, worldSize = 1;
    int localRank = 0;  // among the ranks of this machine: which GPU it takes
    MeetingPoint meeting;
};

/// The value of an environment variable; nullptr where it is not set.
using Environment = std::function<const char*(const char* name)>;

/// Rank, number of ranks and local rank from RANK, WORLD_SIZE, LOCAL_RANK (torchrun), or
/// SLURM_PROCID, SLURM_NTASKS, SLURM_LOCALID, or OMPI_COMM_WORLD_RANK, _SIZE, _LOCAL_RANK, the
/// first launcher of which a variable is set; the address from MASTER_ADDR and MASTER_PORT, which
/// Slurm and Open MPI leave to the user. Throws Error(Usage) naming each variable that is missing
/// or not what it must be.
OutsidePlace outsidePlace(const Environment& environment);

}  // namespace concertina
