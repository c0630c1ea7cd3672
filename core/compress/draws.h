// SPDX-License-Identifier: Apache-2.0
// The random words of a compressor that draws for itself on each rank. Communication thread; any
// thread may.
#pragma once
#include "core/base/seeds.h"
#include "core/compress/compressor.h"

namespace concertina {

/// What this rank draws for a layer in a step.
inline kernels::PhiloxStream drawsOf(const RankInfo& info,
                                     const char* purpose,
                                     const LayerWork& work) {
    return randomStream(
        info.seed, purpose,
        {static_cast<std::uint32_t>(work.layer), static_cast<std::uint32_t>(work.step),
         static_cast<std::uint32_t>(info.rank)});
}

}  // namespace concertina
