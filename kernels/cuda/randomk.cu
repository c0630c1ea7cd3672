// SPDX-License-Identifier: Apache-2.0
#include "kernels/randomk.h"

#include "kernels/cuda/device.h"

namespace concertina::kernels::cuda {
namespace {

__global__ void takeKernel(float* values, RandomPositions positions, float scale, float* taken) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i < positions.kept()) {
        float& value = values[positions.at(i)];
        taken[i] = scale * value;
        value -= taken[i];
    }
}

__global__ void putBackKernel(const float* taken,
                              RandomPositions positions,
                              float divisor,
                              float* values) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i < positions.kept()) {
        values[positions.at(i)] = taken[i] / divisor;
    }
}

}  // namespace

KernelStatus takeRandom(
    float* values, const RandomPositions& positions, float scale, float* taken, Stream stream) {
    if (positions.kept() == 0) {
        return {};
    }
    takeKernel<<<blocksFor(positions.kept()), kThreads, 0, handleOf(stream)>>>(values, positions,
                                                                               scale, taken);
    return launched();
}

KernelStatus putRandom(const float* taken,
                       const RandomPositions& positions,
                       float divisor,
                       float* values,
                       Stream stream) {
    const cudaStream_t handle = handleOf(stream);
    cudaMemsetAsync(values, 0, positions.count() * sizeof(float), handle);
    if (positions.kept() > 0) {
        putBackKernel<<<blocksFor(positions.kept()), kThreads, 0, handle>>>(taken, positions,
                                                                            divisor, values);
    }
    return launched();
}

}  // namespace concertina::kernels::cuda
