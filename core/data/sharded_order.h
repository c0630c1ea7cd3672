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

/// The order for models that carry state from step to step: what one step gives a place in the
/// batch, the next goes on from. The samples are cut into worldSize * batchPerRank streams of equal
/// length; what is left over at the end is in none. The same in every epoch. REQUIRES: layout as
/// streamLayout gives it.
std::vector<std::int64_t> streamOrder(const ShardLayout& layout);
/// The layout without the left-over samples.
ShardLayout streamLayout(ShardLayout layout);

/// A rank's part of a test set, batch by batch: neighbouring samples in batches of at most
/// `batchSize`. Every sample is on exactly one rank.
std::vector<std::vector<std::int64_t>> evaluationBatches(std::int64_t samples,
                                                         int rank,
                                                         int worldSize,
                                                         std::int64_t batchSize);
/// The same in at most `streams` streams of equal length; the left-over samples follow, one at a
/// time.
std::vector<std::vector<std::int64_t>> evaluationStreams(std::int64_t samples,
                                                         int rank,
                                                         int worldSize,
                                                         std::int64_t streams);

}  // namespace concertina
