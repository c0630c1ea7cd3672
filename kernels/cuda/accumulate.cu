// SPDX-License-Identifier: Apache-2.0
#include "kernels/accumulate.h"

#include <cmath>

#include "kernels/cuda/device.h"

namespace concertina::kernels::cuda {
namespace {

// A fixed grid, not one that fits the GPU: the same threads add the same elements on every GPU.
constexpr int kBlocks = 512;

/// What one thread, then one block, then the grid has seen.
struct Seen {
    double squares, magnitudes;
    float largest;
};

__device__ Seen combineOverBlock(Seen seen) {
    return {sumOverBlock(seen.squares), sumOverBlock(seen.magnitudes), maxOverBlock(seen.largest)};
}

__global__ void accumulateKernel(AccumulateBuffers b, Seen* blocks) {
    Seen seen{};
    const std::int64_t stride = std::int64_t{kBlocks} * kThreads;
    for (std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x; i < b.count;
         i += stride) {
        float next = b.gradient[i];
        if (b.epochSum) {
            b.epochSum[i] += next;
        }
        if (b.nextMomentum) {
            next = b.momentum ? b.momentumScale * b.momentum[i] + next : next;
            b.nextMomentum[i] = next;
        }
        if (b.errorMemory) {
            next = next + b.memoryScale * b.errorMemory[i];
        }
        if (b.next) {
            b.next[i] = next;
        }
        const double wide = fabsf(next);
        seen.squares += wide * wide;
        seen.magnitudes += wide;
        seen.largest = fmaxf(seen.largest, fabsf(next));
    }
    seen = combineOverBlock(seen);
    if (threadIdx.x == 0) {
        blocks[blockIdx.x] = seen;
    }
}

__global__ void combineBlocks(Seen* blocks) {
    Seen seen{};
    for (int i = threadIdx.x; i < kBlocks; i += kThreads) {
        seen.squares += blocks[i].squares;
        seen.magnitudes += blocks[i].magnitudes;
        seen.largest = fmaxf(seen.largest, blocks[i].largest);
    }
    seen = combineOverBlock(seen);
    if (threadIdx.x == 0) {
        blocks[0] = seen;
    }
}

}  // namespace

KernelStatus accumulate(const AccumulateBuffers& buffers, Norms& norms, Stream stream) {
    const Scratch<Seen> blocks(kBlocks, stream);
    if (!blocks.status().ok) {
        return blocks.status();
    }
    accumulateKernel<<<kBlocks, kThreads, 0, handleOf(stream)>>>(buffers, blocks.data());
    combineBlocks<<<1, kThreads, 0, handleOf(stream)>>>(blocks.data());
    if (KernelStatus status = launched(); !status.ok) {
        return status;
    }
    Seen seen{};
    KernelStatus status = fetch(blocks.data(), seen, stream);
    norms = {seen.squares, seen.magnitudes, seen.largest, std::isfinite(seen.squares)};
    return status;
}

KernelStatus measure(const float* values, std::int64_t count, Norms& norms, Stream stream) {
    return cuda::accumulate({values, nullptr, nullptr, nullptr, count}, norms, stream);
}

}  // namespace concertina::kernels::cuda
