// SPDX-License-Identifier: Apache-2.0
#include "core/data/sharded_order.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "core/base/check.h"
#include "core/base/seeds.h"

namespace concertina {

std::int64_t ShardLayout::stepsPerEpoch() const {
    const std::int64_t global = batchPerRank * worldSize;
    return samples / global + (samples % global >= worldSize ? 1 : 0);
}

std::int64_t ShardLayout::batchOf(std::int64_t step) const {
    const std::int64_t global = batchPerRank * worldSize;
    const std::int64_t left = samples - step * global;
    return left >= global ? batchPerRank : left / worldSize;
}

std::vector<std::int64_t> epochOrder(std::int64_t samples, std::uint64_t seed, int epoch) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(samples));
    std::iota(order.begin(), order.end(), 0);
    const auto stream =
        randomStream(seed, "data-order", {.step = static_cast<std::uint32_t>(epoch)});
    for (std::int64_t i = samples - 1; i > 0; --i) {
        // 32 random bits scaled to [0, i]: for up to 2^24 samples no position is off by more than
        // one part in 256 of its probability, which no training can see.
        const std::uint64_t word = stream.word(static_cast<std::uint64_t>(i));
        const auto j =
            static_cast<std::int64_t>((word * (static_cast<std::uint64_t>(i) + 1)) >> 32);
        std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(j)]);
    }
    return order;
}

std::vector<std::int64_t> shardOf(const std::vector<std::int64_t>& order,
                                  const ShardLayout& layout,
                                  int rank,
                                  std::int64_t step) {
    CONCERTINA_CHECK(step >= 0 && step < layout.stepsPerEpoch(), "step " + std::to_string(step));
    const std::int64_t batch = layout.batchOf(step);
    const std::int64_t begin = step * layout.batchPerRank * layout.worldSize + rank * batch;
    return {order.begin() + begin, order.begin() + begin + batch};
}

ShardLayout streamLayout(ShardLayout layout) {
    layout.samples -= layout.samples % (layout.batchPerRank * layout.worldSize);
    return layout;
}

std::vector<std::int64_t> streamOrder(const ShardLayout& layout) {
    const std::int64_t streams = layout.batchPerRank * layout.worldSize;
    CONCERTINA_CHECK(layout.samples % streams == 0, std::to_string(layout.samples));
    const std::int64_t length = layout.samples / streams;
    std::vector<std::int64_t> order;
    order.reserve(static_cast<std::size_t>(layout.samples));
    for (std::int64_t step = 0; step < length; ++step) {
        for (std::int64_t stream = 0; stream < streams; ++stream) {
            order.push_back(stream * length + step);
        }
    }
    return order;
}

std::vector<std::vector<std::int64_t>> evaluationBatches(std::int64_t samples,
                                                         int rank,
                                                         int worldSize,
                                                         std::int64_t batchSize) {
    std::vector<std::vector<std::int64_t>> batches;
    const std::int64_t end = samples * (rank + 1) / worldSize;
    for (std::int64_t at = samples * rank / worldSize; at < end; at += batchSize) {
        auto& batch = batches.emplace_back(std::min(batchSize, end - at));
        std::iota(batch.begin(), batch.end(), at);
    }
    return batches;
}

std::vector<std::vector<std::int64_t>> evaluationStreams(std::int64_t samples,
                                                         int rank,
                                                         int worldSize,
                                                         std::int64_t streams) {
    const std::int64_t begin = samples * rank / worldSize;
    const std::int64_t end = samples * (rank + 1) / worldSize;
    streams = std::max<std::int64_t>(1, std::min(streams, end - begin));
    const std::int64_t length = (end - begin) / streams;
    std::vector<std::vector<std::int64_t>> batches;
    for (std::int64_t step = 0; step < length; ++step) {
        auto& batch = batches.emplace_back();
        for (std::int64_t stream = 0; stream < streams; ++stream) {
            batch.push_back(begin + stream * length + step);
        }
    }
    for (std::int64_t at = begin + streams * length; at < end; ++at) {
        batches.push_back({at});
    }
    return batches;
}

}  // namespace concertina
