// SPDX-License-Identifier: Apache-2.0
// AdaComp's choice of entries (Chen, Choi, Brand, Agrawal, Zhang, Gopalakrishnan 2018; methods.md
// 7.2). Called by the adacomp compressor on the communication thread; any thread may, on buffers of
// its own.
#pragma once
#include <cstdint>

#include "kernels/status.h"
#include "kernels/stream.h"

namespace concertina::kernels {

/// What the choice looks at: `count` elements in bins of `bin`, the last one shorter.
struct AdacompBuffers {
    float* values;          // error memory plus gradient; what is sent becomes +0
    const float* gradient;  // alone
    std::int64_t count;
    std::int64_t bin;
};

/// Moves the entries with |value + gradient| >= the largest |value| of their bin out of `values`
/// into a message as selectAbove (select.h) writes it, also where that goes dense. Zeros are never
/// moved. REQUIRES: finite values, 1 <= bin, count <= 2^31 - 1, room for 4 count bytes, no
/// overlaps. CUDA: waits for the stream, because writtenBytes is returned.
namespace cpu {
KernelStatus selectAdacomp(const AdacompBuffers& buffers,
                           void* message,
                           std::int64_t& writtenBytes,
                           Stream stream);
}
namespace cuda {
KernelStatus selectAdacomp(const AdacompBuffers& buffers,
                           void* message,
                           std::int64_t& writtenBytes,
                           Stream stream);
}

inline KernelStatus selectAdacomp(const AdacompBuffers& buffers,
                                  void* message,
                                  std::int64_t& writtenBytes,
                                  Stream stream) {
    return stream.cuda ? cuda::selectAdacomp(buffers, message, writtenBytes, stream)
                       : cpu::selectAdacomp(buffers, message, writtenBytes, stream);
}

}  // namespace concertina::kernels
