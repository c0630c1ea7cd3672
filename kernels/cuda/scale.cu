// SPDX-License-Identifier: Apache-2.0
#include "kernels/scale.h"

#include "kernels/cuda/device.h"

namespace concertina::kernels::cuda {
namespace {

__global__ void divideKernel(const float* input, float divisor, float* output, std::int64_t count) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i < count) {
        output[i] = input[i] / divisor;
    }
}

}  // namespace

KernelStatus divide(
    const float* input, float divisor, float* output, std::int64_t count, Stream stream) {
    if (count == 0) {
        return {};
    }
    divideKernel<<<blocksFor(count), kThreads, 0, handleOf(stream)>>>(input, divisor, output,
                                                                      count);
    return launched();
}

}  // namespace concertina::kernels::cuda
