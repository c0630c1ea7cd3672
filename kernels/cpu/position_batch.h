// SPDX-License-Identifier: Apache-2.0
// Positions drawn together: what the vectorized walk of randomk.cpp works on. Used inside one call.
#pragma once
#include <cstdint>

namespace concertina::kernels {

constexpr int kPositionBatch = 1024;

struct PositionBatch {
    std::uint32_t places[kPositionBatch];   // where they go
    std::uint32_t numbers[kPositionBatch];  // on their way, those that are not inside yet
    int slots[kPositionBatch];              // whose they are
};

}  // namespace concertina::kernels
