// SPDX-License-Identifier: Apache-2.0
// Everything a training step needs of a layer's gradient before compression, in one pass over
// memory: the epoch's sum, gradient plus error memory, the squared norm, and whether all of it is
// finite. Called by the pipeline's communication thread; any thread may, on buffers of its own.
#pragma once
#include <cstdint>

#include "kernels/status.h"
#include "kernels/stream.h"

namespace concertina::kernels {

struct SquaredNorm {
    double sum = 0;      // of squares; inf or NaN when not finite
    bool finite = true;  // every element was
};

/// One layer's buffers of `count` floats each.
struct AccumulateBuffers {
    const float* gradient;
    const float* errorMemory;  // null: error feedback is off
    float* epochSum;           // += gradient, also where that is not finite; null: not wanted
    float* next;               // gradient + errorMemory, or a copy of gradient
    std::int64_t count;
};

/// REQUIRES: no buffer overlaps another. (`next` is apart from errorMemory so that a step which
/// turns out not finite on some rank leaves the memory as it was: committing swaps the two.)
/// Squares are exact in fp64 and cannot overflow there, so the norm is not finite exactly when an
/// element is not. On the CPU, element i is added to lane i mod 16 and lanes are added in order at
/// the end: the same bits on every machine. On CUDA blocks of fixed size are added in a fixed tree:
/// the same bits on every GPU, other last bits than on the CPU. CUDA: waits for the stream, because
/// the norm is returned.
namespace cpu {
KernelStatus accumulate(const AccumulateBuffers& buffers, SquaredNorm& norm, Stream stream);
KernelStatus sumOfSquares(const float* values,
                          std::int64_t count,
                          SquaredNorm& norm,
                          Stream stream);
}  // namespace cpu
namespace cuda {
KernelStatus accumulate(const AccumulateBuffers& buffers, SquaredNorm& norm, Stream stream);
KernelStatus sumOfSquares(const float* values,
                          std::int64_t count,
                          SquaredNorm& norm,
                          Stream stream);
}  // namespace cuda

inline KernelStatus accumulate(const AccumulateBuffers& buffers, SquaredNorm& norm, Stream stream) {
    return stream.cuda ? cuda::accumulate(buffers, norm, stream)
                       : cpu::accumulate(buffers, norm, stream);
}

/// The squared norm of `values` (of an epoch's sum, of a decoded mean), as accumulate computes it.
inline KernelStatus sumOfSquares(const float* values,
                                 std::int64_t count,
                                 SquaredNorm& norm,
                                 Stream stream) {
    return stream.cuda ? cuda::sumOfSquares(values, count, norm, stream)
                       : cpu::sumOfSquares(values, count, norm, stream);
}

}  // namespace concertina::kernels
