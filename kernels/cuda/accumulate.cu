// SPDX-License-Identifier: Apache-2.0
#include "kernels/accumulate.h"

#include <cmath>

#include "kernels/cuda/device.h"

namespace concertina::kernels::cuda {
namespace {

// A fixed grid, not one that fits the GPU: the same threads add the same elements on every GPU.
constexpr int kBlocks = 512;

__global__ void accumulateKernel(AccumulateBuffers b, double* blockSums) {
    double squares = 0;
    const std::int64_t stride = std::int64_t{kBlocks} * kThreads;
    for (std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x; i < b.count;
         i += stride) {
        const float gradient = b.gradient[i];
        squares += static_cast<double>(gradient) * gradient;
        if (b.next) {
            b.next[i] = b.errorMemory ? gradient + b.errorMemory[i] : gradient;
        }
        if (b.epochSum) {
            b.epochSum[i] += gradient;
        }
    }
    const double sum = sumOverBlock(squares);
    if (threadIdx.x == 0) {
        blockSums[blockIdx.x] = sum;
    }
}

__global__ void addBlockSums(double* blockSums) {
    double sum = 0;
    for (int i = threadIdx.x; i < kBlocks; i += kThreads) {
        sum += blockSums[i];
    }
    sum = sumOverBlock(sum);
    if (threadIdx.x == 0) {
        blockSums[0] = sum;
    }
}

}  // namespace

KernelStatus accumulate(const AccumulateBuffers& buffers, SquaredNorm& norm, Stream stream) {
    const Scratch<double> blockSums(kBlocks, stream);
    if (!blockSums.status().ok) {
        return blockSums.status();
    }
    accumulateKernel<<<kBlocks, kThreads, 0, handleOf(stream)>>>(buffers, blockSums.data());
    addBlockSums<<<1, kThreads, 0, handleOf(stream)>>>(blockSums.data());
    if (KernelStatus status = launched(); !status.ok) {
        return status;
    }
    KernelStatus status = fetch(blockSums.data(), norm.sum, stream);
    norm.finite = std::isfinite(norm.sum);
    return status;
}

KernelStatus sumOfSquares(const float* values,
                          std::int64_t count,
                          SquaredNorm& norm,
                          Stream stream) {
    return cuda::accumulate({values, nullptr, nullptr, nullptr, count}, norm, stream);
}

}  // namespace concertina::kernels::cuda
