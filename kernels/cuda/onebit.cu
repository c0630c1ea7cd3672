// SPDX-License-Identifier: Apache-2.0
#include "kernels/onebit.h"

#include "kernels/cuda/device.h"
#include "kernels/cuda/sign_bits.h"

namespace concertina::kernels::cuda {
namespace {

__device__ float meanOf(double sum, std::int64_t count) {
    return count == 0 ? 0.0F : static_cast<float>(sum / static_cast<double>(count));
}

/// One block per row.
__global__ void meansOfRows(const float* values, RowShape shape, GroupMeans* means) {
    const float* row = values + blockIdx.x * shape.columns;
    double positive = 0;
    double negative = 0;
    std::int64_t negatives = 0;
    for (std::int64_t j = threadIdx.x; j < shape.columns; j += kThreads) {
        const bool isBelow = row[j] < 0;
        negatives += isBelow;
        (isBelow ? negative : positive) += row[j];
    }
    positive = sumOverBlock(positive);
    negative = sumOverBlock(negative);
    negatives = sumOverBlock(negatives);
    if (threadIdx.x == 0) {
        means[blockIdx.x] = {meanOf(positive, shape.columns - negatives),
                             meanOf(negative, negatives)};
    }
}

__global__ void packKernel(float* values,
                           RowShape shape,
                           const GroupMeans* means,
                           std::uint32_t* signs) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    const std::int64_t count = shape.rows * shape.columns;
    const bool isBelow = i < count && values[i] < 0;
    writeSign(isBelow, i, count, signs);
    if (i < count) {
        const GroupMeans pair = means[i / shape.columns];
        values[i] -= isBelow ? pair.negative : pair.positive;
    }
}

__global__ void meanKernel(SignMessages messages, RowShape shape, float* mean) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i >= shape.rows * shape.columns) {
        return;
    }
    float sum = 0;
    for (int rank = 0; rank < messages.ranks; ++rank) {
        const auto* means = reinterpret_cast<const GroupMeans*>(messages.message(rank));
        const GroupMeans pair = means[i / shape.columns];
        sum += isNegative(means + shape.rows, i) ? pair.negative : pair.positive;
    }
    mean[i] = sum / static_cast<float>(messages.ranks);
}

}  // namespace

KernelStatus packOnebit(float* values, RowShape shape, void* message, Stream stream) {
    if (shape.rows == 0) {
        return {};
    }
    const cudaStream_t handle = handleOf(stream);
    auto* means = static_cast<GroupMeans*>(message);
    meansOfRows<<<static_cast<unsigned>(shape.rows), kThreads, 0, handle>>>(values, shape, means);
    if (shape.columns > 0) {  // rows of nothing have means all the same
        packKernel<<<blocksFor(shape.rows * shape.columns), kThreads, 0, handle>>>(
            values, shape, means, reinterpret_cast<std::uint32_t*>(means + shape.rows));
    }
    return launched();
}

KernelStatus meanOfOnebit(const SignMessages& messages,
                          RowShape shape,
                          float* mean,
                          Stream stream) {
    if (shape.rows * shape.columns == 0) {
        return {};
    }
    const unsigned blocks = blocksFor(shape.rows * shape.columns);
    meanKernel<<<blocks, kThreads, 0, handleOf(stream)>>>(messages, shape, mean);
    return launched();
}

}  // namespace concertina::kernels::cuda
