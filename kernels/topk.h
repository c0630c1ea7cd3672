// SPDX-License-Identifier: Apache-2.0
// Keeping the k largest magnitudes of a tensor, or finding the k-th of several. Called by the TopK
// and DGC compressors on the communication thread; any thread may, on buffers of its own. What adds
// such lists up again is in sparse_lists.h.
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

/// Part of the elements among which findMagnitude looks.
struct MagnitudePart {
    const float* values;
    std::int64_t count;
};

/// The `wanted`-th largest |x| of all parts together: what the whole model's k-th magnitude is.
/// `parts` is host memory. REQUIRES: 1 <= wanted <= the sum of counts. CUDA: waits for the stream,
/// because the magnitude is returned.
namespace cpu {
KernelStatus findMagnitude(const MagnitudePart* parts,
                           int partCount,
                           std::int64_t wanted,
                           float& magnitude,
                           Stream stream);
}
namespace cuda {
KernelStatus findMagnitude(const MagnitudePart* parts,
                           int partCount,
                           std::int64_t wanted,
                           float& magnitude,
                           Stream stream);
}

inline KernelStatus findMagnitude(const MagnitudePart* parts,
                                  int partCount,
                                  std::int64_t wanted,
                                  float& magnitude,
                                  Stream stream) {
    return stream.cuda ? cuda::findMagnitude(parts, partCount, wanted, magnitude, stream)
                       : cpu::findMagnitude(parts, partCount, wanted, magnitude, stream);
}

}  // namespace concertina::kernels
