// SPDX-License-Identifier: Apache-2.0
#include "kernels/adacomp.h"

#include "kernels/cuda/compact.h"

namespace concertina::kernels::cuda {
namespace {

/// One warp per bin.
__global__ void largestOfBins(const float* values,
                              std::int64_t count,
                              std::int64_t bin,
                              float* bins) {
    const std::int64_t own = (std::int64_t{blockIdx.x} * kThreads + threadIdx.x) / 32;
    const std::int64_t begin = own * bin;
    if (begin >= count) {
        return;
    }
    float largest = 0;
    for (std::int64_t i = begin + threadIdx.x % 32; i < min(begin + bin, count); i += 32) {
        largest = fmaxf(largest, fabsf(values[i]));
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFFU, largest, offset));
    }
    if (threadIdx.x % 32 == 0) {
        bins[own] = largest;
    }
}

struct ReachesLargest {
    const float* values;
    const float* gradient;
    const float* bins;
    std::uint32_t bin;  // 32 bits: a division of 64 would cost more than the rest

    __device__ bool operator()(std::int64_t i) const {
        return fabsf(values[i] + gradient[i]) >= bins[static_cast<std::uint32_t>(i) / bin] &&
               values[i] != 0;
    }
};

}  // namespace

KernelStatus selectAdacomp(const AdacompBuffers& b,
                           void* message,
                           std::int64_t& writtenBytes,
                           Stream stream) {
    const std::int64_t bin = b.bin < b.count ? b.bin : (b.count > 0 ? b.count : 1);
    const std::int64_t binCount = (b.count + bin - 1) / bin;
    const Scratch<float> bins(binCount, stream);
    if (!bins.status().ok) {
        return bins.status();
    }
    if (binCount > 0) {
        largestOfBins<<<blocksFor(32 * binCount), kThreads, 0, handleOf(stream)>>>(
            b.values, b.count, bin, bins.data());
    }
    return moveOut(
        ReachesLargest{b.values, b.gradient, bins.data(), static_cast<std::uint32_t>(bin)},
        b.values, b.count, message, writtenBytes, stream);
}

}  // namespace concertina::kernels::cuda
