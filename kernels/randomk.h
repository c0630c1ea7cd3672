// SPDX-License-Identifier: Apache-2.0
// Taking elements out of a tensor at random positions that all ranks draw alike, and putting them
// back. Called by the RandomK compressor on the communication thread; any thread may, on buffers of
// its own.
#pragma once
#include <cstdint>

#include "kernels/permutation.h"
#include "kernels/status.h"
#include "kernels/stream.h"

namespace concertina::kernels {

/// `kept` different positions out of `count`: scattered ones, each set as likely as any other as
/// far as a RandomPermutation goes, or neighbours from a random start, going on at 0 after the end.
class RandomPositions {
 public:
    /// REQUIRES: 1 <= kept <= count. One stream serves one draw.
    CONCERTINA_HD RandomPositions(std::uint64_t count,
                                  std::uint64_t kept,
                                  bool block,
                                  const PhiloxStream& stream)
        : permutation_(count, stream), count_(count), kept_(kept), block_(block) {
        start_ = permutation_.at(0);
    }

    CONCERTINA_HD std::int64_t kept() const { return static_cast<std::int64_t>(kept_); }
    CONCERTINA_HD std::int64_t count() const { return static_cast<std::int64_t>(count_); }

    CONCERTINA_HD bool isBlock() const { return block_; }
    CONCERTINA_HD const RandomPermutation& permutation() const { return permutation_; }

    CONCERTINA_HD std::int64_t at(std::int64_t i) const {
        const auto index = static_cast<std::uint64_t>(i);
        if (!block_) {
            return static_cast<std::int64_t>(permutation_.at(index));
        }
        const std::uint64_t place = start_ + index;
        return static_cast<std::int64_t>(place < count_ ? place : place - count_);
    }

 private:
    RandomPermutation permutation_;
    std::uint64_t count_, kept_, start_;
    bool block_;
};

namespace cpu {
/// taken[i] = scale * values[at(i)], and values[at(i)] loses that: it becomes +0 for a scale of 1.
KernelStatus takeRandom(
    float* values, const RandomPositions& positions, float scale, float* taken, Stream stream);
/// values = 0, then values[at(i)] = taken[i] / divisor.
KernelStatus putRandom(const float* taken,
                       const RandomPositions& positions,
                       float divisor,
                       float* values,
                       Stream stream);
}  // namespace cpu
namespace cuda {
KernelStatus takeRandom(
    float* values, const RandomPositions& positions, float scale, float* taken, Stream stream);
KernelStatus putRandom(const float* taken,
                       const RandomPositions& positions,
                       float divisor,
                       float* values,
                       Stream stream);
}  // namespace cuda

inline KernelStatus takeRandom(
    float* values, const RandomPositions& positions, float scale, float* taken, Stream stream) {
    return (stream.cuda ? cuda::takeRandom : cpu::takeRandom)(values, positions, scale, taken,
                                                              stream);
}

inline KernelStatus putRandom(const float* taken,
                              const RandomPositions& positions,
                              float divisor,
                              float* values,
                              Stream stream) {
    const auto run = stream.cuda ? cuda::putRandom : cpu::putRandom;
    return run(taken, positions, divisor, values, stream);
}

}  // namespace concertina::kernels
