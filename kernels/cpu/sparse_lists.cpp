// SPDX-License-Identifier: Apache-2.0
#include "kernels/sparse_lists.h"

#include <cstring>

#include "kernels/sparse_faults.h"

namespace concertina::kernels {
namespace {

KernelStatus addList(
    const SparseList& list, int rank, float ranks, float* mean, std::int64_t count) {
    const auto* indices = static_cast<const std::int32_t*>(list.start);
    const auto* values = reinterpret_cast<const float*>(indices + list.kept);
    std::int32_t before = -1;
    for (std::int64_t i = 0; i < list.kept; ++i) {
        const std::int32_t index = indices[i];
        if (index <= before || index >= count) {  // one below 0 is not above the one before it
            return {false, indexFault(rank, i, index, before, count)};
        }
        mean[index] += values[i] / ranks;
        before = index;
    }
    return {};
}

void addDense(const float* values, float ranks, float* mean, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
        mean[i] += values[i] / ranks;
    }
}

}  // namespace

KernelStatus readSparseMessage(
    const void* start, std::int64_t writtenBytes, std::int64_t count, int rank, SparseList& list) {
    const bool isDense = writtenBytes == 4 * count;
    if (writtenBytes < 0 || writtenBytes > 4 * count || (!isDense && writtenBytes % 8 != 0)) {
        return {false, lengthFault(rank, writtenBytes, count)};
    }
    list = {start, isDense ? count : writtenBytes / 8, isDense};
    return {};
}

KernelStatus cpu::scatterMean(
    const SparseList* lists, int ranks, float* mean, std::int64_t count, Stream) {
    std::memset(mean, 0, count * sizeof(float));
    const auto divisor = static_cast<float>(ranks);
    for (int rank = 0; rank < ranks; ++rank) {
        if (lists[rank].isDense) {
            addDense(static_cast<const float*>(lists[rank].start), divisor, mean, count);
        } else if (KernelStatus status = addList(lists[rank], rank, divisor, mean, count);
                   !status.ok) {
            return status;
        }
    }
    return {};
}

KernelStatus cpu::clearListed(const SparseList& list, float* target, std::int64_t count, Stream) {
    if (list.isDense) {
        std::memset(target, 0, count * sizeof(float));
        return {};
    }
    const auto* indices = static_cast<const std::int32_t*>(list.start);
    for (std::int64_t i = 0; i < list.kept; ++i) {
        target[indices[i]] = 0;
    }
    return {};
}

KernelStatus cpu::placeListed(const SparseList& list, float* target, Stream) {
    const auto* indices = static_cast<const std::int32_t*>(list.start);
    const auto* values = reinterpret_cast<const float*>(indices + list.kept);
    for (std::int64_t i = 0; i < list.kept; ++i) {
        target[indices[i]] = values[i];
    }
    return {};
}

}  // namespace concertina::kernels
