// SPDX-License-Identifier: Apache-2.0
// Keeping the k largest magnitudes of a tensor, and adding such lists up again. Called by the TopK
// compressor on the communication thread; any thread may, on buffers of its own.
#pragma once
#include <cstdint>

#include "kernels/status.h"
#include "kernels/stream.h"

namespace concertina::kernels {

/// The k elements of largest |x|, of equal ones those of lowest index. Finds the k-th magnitude by
/// counting bit patterns (for |x| they order as the numbers do) instead of sorting: three
/// histograms of 11, 10 and 10 bits. Writes indices in ascending order, with their values, and sets
/// the chosen values to +0: they leave the residual. An infinity counts as larger than every finite
/// number, a NaN as larger than that; -0 equals +0, and a chosen -0 is written as it is.
/// REQUIRES: 0 <= kept <= count <= 2^31 - 1, no overlaps.
namespace cpu {
KernelStatus selectTopk(float* values,
                        std::int64_t count,
                        std::int64_t kept,
                        std::int32_t* keptIndices,
                        float* keptValues,
                        Stream stream);
}
namespace cuda {
KernelStatus selectTopk(float* values,
                        std::int64_t count,
                        std::int64_t kept,
                        std::int32_t* keptIndices,
                        float* keptValues,
                        Stream stream);
}

inline KernelStatus selectTopk(float* values,
                               std::int64_t count,
                               std::int64_t kept,
                               std::int32_t* keptIndices,
                               float* keptValues,
                               Stream stream) {
    const auto select = stream.cuda ? cuda::selectTopk : cpu::selectTopk;
    return select(values, count, kept, keptIndices, keptValues, stream);
}

/// One list per rank, `strideBytes` apart: `kept` indices, then `kept` values.
struct SparseLists {
    const void* first;
    std::int64_t strideBytes;
    int lists;
    std::int64_t kept;
};

/// mean = 0, then mean[index] += value / lists, in the order of lists (so every rank computes the
/// same bits). An index outside 0..count-1 (a corrupted payload) gives a status that names list,
/// position and index; no memory outside `mean` is touched, and what is in `mean` is then of no
/// use. CUDA: waits for the stream, because that status is returned; an index must not occur twice
/// in one list.
namespace cpu {
KernelStatus scatterMean(const SparseLists& lists, float* mean, std::int64_t count, Stream stream);
}
namespace cuda {
KernelStatus scatterMean(const SparseLists& lists, float* mean, std::int64_t count, Stream stream);
}

inline KernelStatus scatterMean(const SparseLists& lists,
                                float* mean,
                                std::int64_t count,
                                Stream stream) {
    return stream.cuda ? cuda::scatterMean(lists, mean, count, stream)
                       : cpu::scatterMean(lists, mean, count, stream);
}

}  // namespace concertina::kernels
