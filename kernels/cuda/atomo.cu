// SPDX-License-Identifier: Apache-2.0
#include "kernels/atomo.h"

#include "kernels/cuda/compact.h"

namespace concertina::kernels::cuda {
namespace {

// As in accumulate.cu: a fixed grid gives the same sums on every GPU.
constexpr int kBlocks = 512;

__global__ void sumUpToKernel(const float* values,
                              std::int64_t count,
                              float clip,
                              ClipSums* blocks) {
    ClipSums sums;
    const std::int64_t stride = std::int64_t{kBlocks} * kThreads;
    for (std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x; i < count;
         i += stride) {
        const float magnitude = fabsf(values[i]);
        const bool isAbove = magnitude > clip;
        sums.above += isAbove ? 1 : 0;
        sums.below += isAbove ? 0 : magnitude;
    }
    sums = {sumOverBlock(sums.below), sumOverBlock(sums.above)};
    if (threadIdx.x == 0) {
        blocks[blockIdx.x] = sums;
    }
}

__global__ void addBlocks(ClipSums* blocks) {
    ClipSums sums;
    for (int i = threadIdx.x; i < kBlocks; i += kThreads) {
        sums = {sums.below + blocks[i].below, sums.above + blocks[i].above};
    }
    sums = {sumOverBlock(sums.below), sumOverBlock(sums.above)};
    if (threadIdx.x == 0) {
        blocks[0] = sums;
    }
}

struct Drawn {
    const float* values;
    double scale;
    PhiloxStream random;

    __device__ bool operator()(std::int64_t i) const {
        return isDrawn(values[i], scale, random.word(i));
    }
};

/// A list holds the drawn entries as they were, and `values` zeros there.
__global__ void rescaleListed(
    const std::int32_t* indices, float* kept, std::int64_t drawn, double scale, float* values) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i < drawn) {
        const float sent = drawnCoefficient(kept[i], scale);
        values[indices[i]] = kept[i] - sent;
        kept[i] = sent;
    }
}

__global__ void drawDense(Drawn drawn, float* values, std::int64_t count, float* message) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i < count) {
        const float sent = drawn(i) ? drawnCoefficient(values[i], drawn.scale) : 0;
        message[i] = sent;
        values[i] -= sent;
    }
}

}  // namespace

KernelStatus sumUpTo(
    const float* values, std::int64_t count, float clip, ClipSums& sums, Stream stream) {
    const Scratch<ClipSums> blocks(kBlocks, stream);
    if (!blocks.status().ok) {
        return blocks.status();
    }
    sumUpToKernel<<<kBlocks, kThreads, 0, handleOf(stream)>>>(values, count, clip, blocks.data());
    addBlocks<<<1, kThreads, 0, handleOf(stream)>>>(blocks.data());
    const KernelStatus status = launched();
    return status.ok ? fetch(blocks.data(), sums, stream) : status;
}

KernelStatus drawEntries(float* values,
                         std::int64_t count,
                         double scale,
                         const PhiloxStream& random,
                         void* message,
                         std::int64_t& writtenBytes,
                         Stream stream) {
    writtenBytes = 0;
    if (count == 0) {
        return {};
    }
    const Drawn where{values, scale, random};
    const Scratch<unsigned> tiles(tilesFor(count) + 1, stream);
    if (!tiles.status().ok) {
        return tiles.status();
    }
    std::int64_t drawn = 0;
    if (KernelStatus status = countTilesWhere(where, count, tiles.data(), drawn, stream);
        !status.ok || drawn == 0) {
        return status;
    }
    const cudaStream_t handle = handleOf(stream);
    if (goesDense(drawn, count)) {
        writtenBytes = 4 * count;
        drawDense<<<blocksFor(count), kThreads, 0, handle>>>(where, values, count,
                                                             static_cast<float*>(message));
        return launched();
    }
    writtenBytes = 8 * drawn;
    auto* indices = static_cast<std::int32_t*>(message);
    moveWhere<<<tilesFor(count), kThreads, 0, handle>>>(where, values, count, tiles.data(),
                                                        indices);
    rescaleListed<<<blocksFor(drawn), kThreads, 0, handle>>>(
        indices, reinterpret_cast<float*>(indices + drawn), drawn, scale, values);
    return launched();
}

}  // namespace concertina::kernels::cuda
