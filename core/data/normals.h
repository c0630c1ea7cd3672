// SPDX-License-Identifier: Apache-2.0
// What data sets draw instead of read: normal numbers of a sample, a pure function of (data_seed,
// split, sample); the run's seed has no part in it. Any thread.
#pragma once
#include <cstdint>

#include "core/base/seeds.h"
#include "core/data/dataset.h"

namespace concertina {

/// Standard normal numbers, one after the other.
class Normals {
 public:
    explicit Normals(const kernels::PhiloxStream& stream) : stream_(stream) {}
    double next() {
        if (drawn_ % 2 == 0) {
            pair_ = kernels::normalFromBits(stream_.word(drawn_), stream_.word(drawn_ + 1));
        }
        return drawn_++ % 2 == 0 ? pair_.first : pair_.second;
    }

 private:
    kernels::PhiloxStream stream_;
    std::uint64_t drawn_ = 0;
    kernels::NormalPair pair_{};
};

/// Where the numbers of a sample are.
inline DrawPlace placeOf(Split split, std::int64_t index) {
    return {.layer = static_cast<std::uint32_t>(index), .step = split == Split::Train ? 0U : 1U};
}

}  // namespace concertina
