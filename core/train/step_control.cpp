// SPDX-License-Identifier: Apache-2.0
#include "core/train/step_control.h"

#include <ATen/ops/empty.h>

#include <cstdint>

namespace concertina {
namespace {

// 0 = all finite, else (rank + 1) * 2^32 + layer + 1, with 0 in the low half for the loss.
std::int64_t encodePlace(const StepVote& vote, int rank) {
    if (vote.lossFinite && !vote.nonFiniteLayer) {
        return 0;
    }
    const std::int64_t layer = vote.nonFiniteLayer ? *vote.nonFiniteLayer + 1 : 0;
    return (static_cast<std::int64_t>(rank) + 1) << 32 | layer;
}

std::optional<NonFinitePlace> decodePlace(std::int64_t code) {
    if (code == 0) {
        return std::nullopt;
    }
    NonFinitePlace place;
    place.rank = static_cast<int>(code >> 32) - 1;
    if (const auto layer = static_cast<int>(code & 0xFFFFFFFF); layer > 0) {
        place.layer = layer - 1;
    }
    return place;
}

}  // namespace

Agreement agree(const StepVote& vote, int rank, Collectives& control) {
    at::Tensor words = at::empty({2}, at::kLong);
    auto* word = words.mutable_data_ptr<std::int64_t>();
    word[0] = static_cast<std::int64_t>(vote.command);
    word[1] = encodePlace(vote, rank);
    control.max(words, Traffic::Control);
    return {static_cast<Command>(word[0]), decodePlace(word[1])};
}

}  // namespace concertina
