// SPDX-License-Identifier: Apache-2.0
#include "kernels/variance.h"

#include "kernels/cuda/compact.h"

namespace concertina::kernels::cuda {
namespace {

__global__ void growSpread(VarianceBuffers b) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i < b.count) {
        const float grown = grownSpread(b.spread[i], b.gradient[i]);
        b.spread[i] = b.values[i] * b.values[i] > b.alpha * grown ? 0 : grown * b.decay;
    }
}

/// Was sent, as the spread now shows: 0 beside a value whose square is not. What waits has a spread
/// above 0 then, because no decay from 1/2 on rounds the smallest number to 0.
struct WasReset {
    const float* values;
    const float* spread;

    __device__ bool operator()(std::int64_t i) const {
        return spread[i] == 0 && values[i] * values[i] > 0;
    }
};

}  // namespace

KernelStatus selectVariance(const VarianceBuffers& b,
                            void* message,
                            std::int64_t& writtenBytes,
                            Stream stream) {
    if (b.count > 0) {
        growSpread<<<blocksFor(b.count), kThreads, 0, handleOf(stream)>>>(b);
    }
    const KernelStatus status =
        moveOut(WasReset{b.values, b.spread}, b.values, b.count, message, writtenBytes, stream);
    if (status.ok && writtenBytes == 4 * b.count) {
        cudaMemsetAsync(b.spread, 0, b.count * sizeof(float), handleOf(stream));
        return launched();
    }
    return status;
}

}  // namespace concertina::kernels::cuda
