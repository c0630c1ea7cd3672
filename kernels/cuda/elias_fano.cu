// SPDX-License-Identifier: Apache-2.0
#include "kernels/elias_fano.h"

#include "kernels/cuda/compact.h"
#include "kernels/sparse_faults.h"

namespace concertina::kernels::cuda {
namespace {

__device__ std::int64_t ownThread() { return std::int64_t{blockIdx.x} * kThreads + threadIdx.x; }

__global__ void packLowBits(const std::int32_t* indices, EliasFano form, std::uint32_t* words) {
    if (ownThread() < form.lowWords()) {
        words[ownThread()] = lowWord(indices, form, ownThread());
    }
}

__global__ void setBits(const std::int32_t* indices, EliasFano form, std::uint32_t* bitmap) {
    if (ownThread() < form.kept) {
        const std::int64_t place = bitmapPlace(form, indices[ownThread()], ownThread());
        atomicOr(&bitmap[place / 32], std::uint32_t{1} << (place % 32));
    }
}

__global__ void countOnes(const std::uint32_t* words, EliasFano form, unsigned* ones) {
    if (ownThread() < form.bitmapWords()) {
        ones[ownThread()] = __popc(words[form.lowWords() + ownThread()]);
    }
}

__global__ void unpackWords(const std::uint32_t* words,
                            EliasFano form,
                            const unsigned* ones,
                            std::int32_t* indices) {
    if (ownThread() < form.bitmapWords()) {
        unpackBitmapWord(words, form, ownThread(), ones[ownThread()], indices);
    }
}

}  // namespace

KernelStatus packIndices(const std::int32_t* indices,
                         const EliasFano& form,
                         std::uint32_t* words,
                         Stream stream) {
    if (form.kept == 0) {
        return {};
    }
    const cudaStream_t handle = handleOf(stream);
    std::uint32_t* bitmap = words + form.lowWords();
    if (form.lowWords() > 0) {
        packLowBits<<<blocksFor(form.lowWords()), kThreads, 0, handle>>>(indices, form, words);
    }
    cudaMemsetAsync(bitmap, 0, 4 * form.bitmapWords(), handle);
    setBits<<<blocksFor(form.kept), kThreads, 0, handle>>>(indices, form, bitmap);
    return launched();
}

KernelStatus unpackIndices(const std::uint32_t* words,
                           const EliasFano& form,
                           int rank,
                           std::int32_t* indices,
                           Stream stream) {
    if (form.kept == 0) {
        return {};
    }
    const cudaStream_t handle = handleOf(stream);
    const std::int64_t wordCount = form.bitmapWords();
    const Scratch<unsigned> ones(wordCount + 1, stream);
    if (!ones.status().ok) {
        return ones.status();
    }
    countOnes<<<blocksFor(wordCount), kThreads, 0, handle>>>(words, form, ones.data());
    sumUp<<<1, kThreads, 0, handle>>>(ones.data(), wordCount, ones.data() + wordCount);
    unpackWords<<<blocksFor(wordCount), kThreads, 0, handle>>>(words, form, ones.data(), indices);
    if (KernelStatus status = launched(); !status.ok) {
        return status;
    }
    unsigned all = 0;
    KernelStatus status = fetch(ones.data() + wordCount, all, stream);
    return !status.ok || all == form.kept ? status
                                          : KernelStatus{false, bitmapFault(rank, all, form.kept)};
}

}  // namespace concertina::kernels::cuda
