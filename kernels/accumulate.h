// SPDX-License-Identifier: Apache-2.0
// Everything a training step needs of a layer's gradient before compression, in one pass over
// memory: the epoch's sum, local momentum, gradient plus error memory, and the norms of what will
// be compressed. Called by the pipeline's communication thread; any thread may, on buffers of its
// own.
#pragma once
#include <cstdint>

#include "kernels/status.h"
#include "kernels/stream.h"

namespace concertina::kernels {

struct Norms {
    double squares = 0;     // sum of squares; inf or NaN when not finite
    double magnitudes = 0;  // sum of absolute values
    float largest = 0;      // absolute value; of no use when not finite
    bool finite = true;     // every element was
};

/// One layer's buffers of `count` floats each.
struct AccumulateBuffers {
    const float* gradient;
    const float* errorMemory;  // null: nothing is held back
    float* epochSum;           // += gradient, also where that is not finite; null: not wanted
    float* next;               // v + memoryScale * errorMemory, or a copy of v
    std::int64_t count;
    float memoryScale = 1;

    // v is the gradient, or with nextMomentum: nextMomentum = momentumScale * momentum + gradient.
    float* nextMomentum = nullptr;
    const float* momentum = nullptr;  // null: zeros
    float momentumScale = 0;
};

/// Norms are those of `next`. REQUIRES: no buffer overlaps another. (`next` is apart from
/// errorMemory so that a step which turns out not finite on some rank leaves the memory as it was:
/// committing swaps the two; nextMomentum likewise.)
/// Sums are taken in fp64, where squares of floats are exact and cannot overflow, so `squares` is
/// not finite exactly when an element is not. On the CPU, element i is added to lane i mod 16 and
/// lanes are added in order at the end: the same bits on every machine. On CUDA blocks of fixed
/// size are added in a fixed tree: the same bits on every GPU, other last bits than on the CPU.
/// CUDA: waits for the stream, because the norms are returned.
namespace cpu {
KernelStatus accumulate(const AccumulateBuffers& buffers, Norms& norms, Stream stream);
KernelStatus measure(const float* values, std::int64_t count, Norms& norms, Stream stream);
}  // namespace cpu
namespace cuda {
KernelStatus accumulate(const AccumulateBuffers& buffers, Norms& norms, Stream stream);
KernelStatus measure(const float* values, std::int64_t count, Norms& norms, Stream stream);
}  // namespace cuda

inline KernelStatus accumulate(const AccumulateBuffers& buffers, Norms& norms, Stream stream) {
    return stream.cuda ? cuda::accumulate(buffers, norms, stream)
                       : cpu::accumulate(buffers, norms, stream);
}

/// The norms of `values` (of an epoch's sum, of a decoded mean), as accumulate computes them.
inline KernelStatus measure(const float* values, std::int64_t count, Norms& norms, Stream stream) {
    return stream.cuda ? cuda::measure(values, count, norms, stream)
                       : cpu::measure(values, count, norms, stream);
}

}  // namespace concertina::kernels
