// SPDX-License-Identifier: Apache-2.0
#include "kernels/select.h"

#include "kernels/cuda/compact.h"
#include "kernels/topk_threshold.h"

namespace concertina::kernels::cuda {
namespace {

struct Above {
    const float* values;
    std::uint32_t least;

    __device__ bool operator()(std::int64_t i) const { return magnitudeBits(values[i]) >= least; }
};

/// Zeros are never moved.
Above above(const float* values, float least) {
    const std::uint32_t bits = magnitudeBits(least);
    return {values, bits > 0 ? bits : 1};
}

__global__ void sampleRuns(const float* values,
                           std::int64_t stride,
                           std::int64_t samples,
                           PhiloxStream random,
                           float* sample) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i < samples) {
        sample[i] = values[sampledElement(i, stride, random.word(i))];
    }
}

}  // namespace

KernelStatus selectAbove(float* values,
                         std::int64_t count,
                         float least,
                         void* message,
                         std::int64_t& writtenBytes,
                         Stream stream) {
    return moveOut(above(values, least), values, count, message, writtenBytes, stream);
}

KernelStatus countAbove(
    const float* values, std::int64_t count, float least, std::int64_t& found, Stream stream) {
    found = 0;
    if (count == 0) {
        return {};
    }
    const Scratch<unsigned> tiles(tilesFor(count) + 1, stream);
    return tiles.status().ok
               ? countTilesWhere(above(values, least), count, tiles.data(), found, stream)
               : tiles.status();
}

KernelStatus sampleOneIn(const float* values,
                         std::int64_t stride,
                         std::int64_t samples,
                         const PhiloxStream& random,
                         float* sample,
                         Stream stream) {
    if (samples == 0) {
        return {};
    }
    sampleRuns<<<blocksFor(samples), kThreads, 0, handleOf(stream)>>>(values, stride, samples,
                                                                      random, sample);
    return launched();
}

}  // namespace concertina::kernels::cuda
