// SPDX-License-Identifier: Apache-2.0
// Turns a sum over ranks into their mean. Called by the pipeline and by compressors; any thread.
#pragma once
#include <cstdint>

#include "kernels/status.h"
#include "kernels/stream.h"

namespace concertina::kernels {

/// output = input / divisor, each element rounded once: a division, not a product with the inverse,
/// so that a mean of equal values is that value for every number of ranks. REQUIRES: output is
/// input, or does not overlap it.
namespace cpu {
KernelStatus divide(
    const float* input, float divisor, float* output, std::int64_t count, Stream stream);
}
namespace cuda {
KernelStatus divide(
    const float* input, float divisor, float* output, std::int64_t count, Stream stream);
}

inline KernelStatus divide(
    const float* input, float divisor, float* output, std::int64_t count, Stream stream) {
    return stream.cuda ? cuda::divide(input, divisor, output, count, stream)
                       : cpu::divide(input, divisor, output, count, stream);
}

}  // namespace concertina::kernels
