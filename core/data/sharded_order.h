// SPDX-License-Identifier: Apache-2.0
// Which samples a rank sees, in which order. A pure function of (samples, batch, ranks, seed,
// epoch): the same for every compressor and policy, and reproducible on resume. No state, any
// thread.
#pragma once
#include <cstdint>
#include <vector>

namespace concertina {

struct ShardLayout {
    std::int64_t samples = 0;
    std::int64_t batchPerRank = 1;
    int worldSize = 1;

    /// Optimizer steps per epoch, equal on every rank. The last one is smaller when the samples do
    /// not divide: each rank then takes floor(remainder / W); fewer than W left-over samples are
    /// skipped (other ones in every epoch).
    std::int64_t stepsPerEpoch() const;
    /// Samples of a rank in that step (all ranks alike).
    std::int64_t batchOf(std::int64_t step) const;
};

/// The permutation of [0, samples) for an epoch (Fisher-Yates over a counter-based generator).
std::vector<std::int64_t> epochOrder(std::int64_t samples, std::uint64_t seed, int epoch);

/// Step `step`'s indices of `rank`, cut out of epochOrder's result: ranks take neighbouring slices,
/// so shards never overlap and W ranks with batch B see in each step exactly the samples that one
/// rank with batch W*B would.
std::vector<std::int64_t> shardOf(const std::vector<std::int64_t>& order,
                                  const ShardLayout& layout,
                                  int rank,
                                  std::int64_t step);

}  // namespace concertina
