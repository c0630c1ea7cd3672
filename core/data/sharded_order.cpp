// SPDX-License-Identifier: Apache-2.0
#include "core/data/sharded_order.h"

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

}  // namespace concertina
