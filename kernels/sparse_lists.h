// SPDX-License-Identifier: Apache-2.0
// Lists of elements, as sparse compressors send them: how long a message is, and adding them up
// again. Called by the compressors on the communication thread; any thread may, on buffers of its
// own.
#pragma once
#include <cstdint>

#include "kernels/host_device.h"
#include "kernels/status.h"
#include "kernels/stream.h"

namespace concertina::kernels {

/// What one rank contributes: `kept` int32 indices, ascending, then their `kept` fp32 values; where
/// isDense, the fp32 values of all elements and no index.
struct SparseList {
    const void* start;
    std::int64_t kept;
    bool isDense = false;
};

/// Whether `kept` entries of `count` elements travel as all `count` values: where a list of 8 bytes
/// an entry would not be shorter than 4 bytes an element.
CONCERTINA_HD inline bool goesDense(std::int64_t kept, std::int64_t count) {
    return 2 * kept >= count;
}

/// Reads a message of variable size, which selectAbove and its like (select.h) wrote. Nothing in it
/// says which form it has: 4 count bytes are all values, since a list is always shorter. A length
/// that neither form has gives a status that names the rank.
KernelStatus readSparseMessage(
    const void* start, std::int64_t writtenBytes, std::int64_t count, int rank, SparseList& list);

/// mean = 0, then mean[index] += value / ranks, in the order of lists, list r from rank r (so every
/// rank computes the same bits). An index outside 0..count-1, or one that is not above the one
/// before it (a corrupted payload), gives a status that names rank, position and index; no memory
/// outside `mean` is touched, and what is in `mean` is then of no use. `lists` is host memory.
/// CUDA: waits for the stream, because that status is returned.
namespace cpu {
KernelStatus scatterMean(
    const SparseList* lists, int ranks, float* mean, std::int64_t count, Stream stream);
KernelStatus clearListed(const SparseList& list, float* target, std::int64_t count, Stream stream);
KernelStatus placeListed(const SparseList& list, float* target, Stream stream);
}  // namespace cpu
namespace cuda {
KernelStatus scatterMean(
    const SparseList* lists, int ranks, float* mean, std::int64_t count, Stream stream);
KernelStatus clearListed(const SparseList& list, float* target, std::int64_t count, Stream stream);
KernelStatus placeListed(const SparseList& list, float* target, Stream stream);
}  // namespace cuda

inline KernelStatus scatterMean(
    const SparseList* lists, int ranks, float* mean, std::int64_t count, Stream stream) {
    return stream.cuda ? cuda::scatterMean(lists, ranks, mean, count, stream)
                       : cpu::scatterMean(lists, ranks, mean, count, stream);
}

/// target[index] = 0 for the elements of the list: what was sent leaves the momentum too. REQUIRES:
/// a list of this process, whose indices are right.
inline KernelStatus clearListed(const SparseList& list,
                                float* target,
                                std::int64_t count,
                                Stream stream) {
    return stream.cuda ? cuda::clearListed(list, target, count, stream)
                       : cpu::clearListed(list, target, count, stream);
}

/// target[index] = value for the elements of the list: what rounding lost goes back into the
/// residual. REQUIRES: as clearListed; not dense.
inline KernelStatus placeListed(const SparseList& list, float* target, Stream stream) {
    return stream.cuda ? cuda::placeListed(list, target, stream)
                       : cpu::placeListed(list, target, stream);
}

}  // namespace concertina::kernels
