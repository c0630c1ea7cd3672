// SPDX-License-Identifier: Apache-2.0
#include "kernels/half.h"

#include "kernels/cuda/device.h"

namespace concertina::kernels::cuda {
namespace {

__global__ void narrowKernel(float* values,
                             std::int64_t count,
                             HalfType type,
                             float ranks,
                             float limit,
                             std::uint16_t* halves) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i < count) {
        halves[i] = narrowed(type, values[i], limit, ranks);
        values[i] -= ranks * fromHalf(type, halves[i]);
    }
}

__global__ void widenKernel(const std::uint16_t* halves,
                            std::int64_t count,
                            HalfType type,
                            float* values) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i < count) {
        values[i] = fromHalf(type, halves[i]);
    }
}

}  // namespace

KernelStatus narrow(float* values,
                    std::int64_t count,
                    HalfType type,
                    int ranks,
                    std::uint16_t* halves,
                    Stream stream) {
    if (count == 0) {
        return {};
    }
    narrowKernel<<<blocksFor(count), kThreads, 0, handleOf(stream)>>>(
        values, count, type, static_cast<float>(ranks), largestSummand(type, ranks), halves);
    return launched();
}

KernelStatus widen(
    const std::uint16_t* halves, std::int64_t count, HalfType type, float* values, Stream stream) {
    if (count == 0) {
        return {};
    }
    widenKernel<<<blocksFor(count), kThreads, 0, handleOf(stream)>>>(halves, count, type, values);
    return launched();
}

}  // namespace concertina::kernels::cuda
