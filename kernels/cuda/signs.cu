// SPDX-License-Identifier: Apache-2.0
#include "kernels/signs.h"

#include "kernels/cuda/device.h"
#include "kernels/cuda/sign_bits.h"

namespace concertina::kernels::cuda {
namespace {

__global__ void packKernel(float* values, std::int64_t count, float scale, float* message) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    const bool isBelow = i < count && values[i] < 0;
    writeSign(isBelow, i, count, reinterpret_cast<std::uint32_t*>(message + 1));
    if (i < count) {
        values[i] -= isBelow ? -scale : scale;
    }
    if (i == 0) {
        *message = scale;
    }
}

__global__ void meanKernel(SignMessages messages, float* mean, std::int64_t count) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i >= count) {
        return;
    }
    float sum = 0;
    for (int rank = 0; rank < messages.ranks; ++rank) {
        const float* message = messages.message(rank);
        sum += isNegative(message + 1, i) ? -*message : *message;
    }
    mean[i] = sum / static_cast<float>(messages.ranks);
}

__global__ void voteKernel(SignMessages messages, float* vote, std::int64_t count) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i >= count) {
        return;
    }
    int sum = 0;
    int voters = 0;
    float scales = 0;
    for (int rank = 0; rank < messages.ranks; ++rank) {
        const float* message = messages.message(rank);
        if (*message != 0) {
            sum += isNegative(message + 1, i) ? -1 : 1;
            scales += *message;
            ++voters;
        }
    }
    const float scale = voters == 0 ? 0 : scales / static_cast<float>(voters);
    vote[i] = sum > 0 ? scale : sum < 0 ? -scale : 0;
}

}  // namespace

KernelStatus packSigns(
    float* values, std::int64_t count, float scale, void* message, Stream stream) {
    const unsigned blocks = blocksFor(count > 0 ? count : 1);  // the scale is always written
    packKernel<<<blocks, kThreads, 0, handleOf(stream)>>>(values, count, scale,
                                                          static_cast<float*>(message));
    return launched();
}

KernelStatus combineSigns(const SignMessages& messages,
                          SignRule rule,
                          float* combined,
                          std::int64_t count,
                          Stream stream) {
    if (count == 0) {
        return {};
    }
    const auto kernel = rule == SignRule::Mean ? meanKernel : voteKernel;
    kernel<<<blocksFor(count), kThreads, 0, handleOf(stream)>>>(messages, combined, count);
    return launched();
}

}  // namespace concertina::kernels::cuda
