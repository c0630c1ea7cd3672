// SPDX-License-Identifier: Apache-2.0
#include "kernels/sparse_lists.h"

#include "kernels/cuda/device.h"
#include "kernels/sparse_faults.h"

namespace concertina::kernels::cuda {
namespace {

constexpr unsigned long long kAllRight = ~0ULL;

__device__ std::int64_t ownThread() { return std::int64_t{blockIdx.x} * kThreads + threadIdx.x; }

/// Adds the list of `rank`; the lowest (rank, position) of a wrong index goes to `firstBad`.
__global__ void addList(SparseList list,
                        int rank,
                        float ranks,
                        float* mean,
                        std::int64_t count,
                        unsigned long long* firstBad) {
    const std::int64_t i = ownThread();
    if (i >= list.kept) {
        return;
    }
    const auto* indices = static_cast<const std::int32_t*>(list.start);
    const auto* values = reinterpret_cast<const float*>(indices + list.kept);
    const std::int32_t index = indices[i];
    if (index < 0 || index >= count || (i > 0 && index <= indices[i - 1])) {
        atomicMin(firstBad,
                  static_cast<unsigned long long>(rank) << 32 | static_cast<unsigned long long>(i));
        return;
    }
    mean[index] += values[i] / ranks;
}

__global__ void addDense(const float* values, float ranks, float* mean, std::int64_t count) {
    if (ownThread() < count) {
        mean[ownThread()] += values[ownThread()] / ranks;
    }
}

__global__ void clearElements(SparseList list, float* target) {
    if (ownThread() < list.kept) {
        target[static_cast<const std::int32_t*>(list.start)[ownThread()]] = 0;
    }
}

__global__ void placeElements(SparseList list, float* target) {
    if (ownThread() < list.kept) {
        const auto* indices = static_cast<const std::int32_t*>(list.start);
        const auto* values = reinterpret_cast<const float*>(indices + list.kept);
        target[indices[ownThread()]] = values[ownThread()];
    }
}

KernelStatus refuse(const SparseList* lists,
                    unsigned long long bad,
                    std::int64_t count,
                    Stream stream) {
    const auto rank = static_cast<int>(bad >> 32);
    const auto position = static_cast<std::int64_t>(bad & 0xFFFFFFFFU);
    const auto* indices = static_cast<const std::int32_t*>(lists[rank].start);
    std::int32_t index = 0, before = -1;
    if (KernelStatus status = fetch(indices + position, index, stream); !status.ok) {
        return status;
    }
    if (position > 0) {
        if (KernelStatus status = fetch(indices + position - 1, before, stream); !status.ok) {
            return status;
        }
    }
    return {false, indexFault(rank, position, index, before, count)};
}

}  // namespace

KernelStatus scatterMean(
    const SparseList* lists, int ranks, float* mean, std::int64_t count, Stream stream) {
    const cudaStream_t handle = handleOf(stream);
    const Scratch<unsigned long long> firstBad(1, stream);
    if (!firstBad.status().ok) {
        return firstBad.status();
    }
    cudaMemsetAsync(mean, 0, count * sizeof(float), handle);
    cudaMemsetAsync(firstBad.data(), 0xFF, sizeof(unsigned long long), handle);
    const auto divisor = static_cast<float>(ranks);
    // One launch per list: within a list indices differ (those that do not add nothing: the status
    // is bad then), and lists are added in their order.
    for (int rank = 0; rank < ranks; ++rank) {
        const SparseList& list = lists[rank];
        if (list.kept == 0) {
            continue;
        }
        if (list.isDense) {
            addDense<<<blocksFor(count), kThreads, 0, handle>>>(
                static_cast<const float*>(list.start), divisor, mean, count);
        } else {
            addList<<<blocksFor(list.kept), kThreads, 0, handle>>>(list, rank, divisor, mean, count,
                                                                   firstBad.data());
        }
    }
    if (KernelStatus status = launched(); !status.ok) {
        return status;
    }
    unsigned long long bad = kAllRight;
    KernelStatus status = fetch(firstBad.data(), bad, stream);
    return !status.ok || bad == kAllRight ? status : refuse(lists, bad, count, stream);
}

KernelStatus clearListed(const SparseList& list, float* target, std::int64_t count, Stream stream) {
    if (list.isDense) {
        cudaMemsetAsync(target, 0, count * sizeof(float), handleOf(stream));
    } else if (list.kept > 0) {
        clearElements<<<blocksFor(list.kept), kThreads, 0, handleOf(stream)>>>(list, target);
    }
    return launched();
}

KernelStatus placeListed(const SparseList& list, float* target, Stream stream) {
    if (list.kept > 0) {
        placeElements<<<blocksFor(list.kept), kThreads, 0, handleOf(stream)>>>(list, target);
    }
    return launched();
}

}  // namespace concertina::kernels::cuda
