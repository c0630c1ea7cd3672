// SPDX-License-Identifier: Apache-2.0
// Variance-based choice of entries (Tsuzuku, Imachi, Akiba 2018; methods.md 7.2): an entry waits in
// the error memory until it is large beside the gradients' spread. Called by the variance
// compressor on the communication thread; any thread may, on buffers of its own.
#pragma once
#include <cfloat>
#include <cstdint>

#include "kernels/host_device.h"
#include "kernels/status.h"
#include "kernels/stream.h"

namespace concertina::kernels {

struct VarianceBuffers {
    float* values;          // error memory plus gradient; what is sent becomes +0
    const float* gradient;  // of this step alone
    float* spread;          // kept from step to step, zeros at first; what is sent becomes 0
    std::int64_t count;
    float alpha;
    float decay;  // from 1/2 to 1, of the spread of what waits
};

/// spread + gradient^2; a square that is no finite number (a gradient above 1e19, or no number
/// itself) is left out, because its entry could never be sent again.
CONCERTINA_HD inline float grownSpread(float spread, float gradient) {
    const float grown = spread + gradient * gradient;
    return grown <= FLT_MAX ? grown : spread;
}

/// Adds the squared gradient to the spread, then moves the entries with value^2 > alpha * spread
/// out of `values` into a message as selectAbove (select.h) writes it, also where that goes dense,
/// in which case all of the spread becomes 0. REQUIRES: finite values, count <= 2^31 - 1, room for
/// 4 count bytes, no overlaps. CUDA: waits for the stream, because writtenBytes is returned.
namespace cpu {
KernelStatus selectVariance(const VarianceBuffers& buffers,
                            void* message,
                            std::int64_t& writtenBytes,
                            Stream stream);
}
namespace cuda {
KernelStatus selectVariance(const VarianceBuffers& buffers,
                            void* message,
                            std::int64_t& writtenBytes,
                            Stream stream);
}

inline KernelStatus selectVariance(const VarianceBuffers& buffers,
                                   void* message,
                                   std::int64_t& writtenBytes,
                                   Stream stream) {
    return stream.cuda ? cuda::selectVariance(buffers, message, writtenBytes, stream)
                       : cpu::selectVariance(buffers, message, writtenBytes, stream);
}

}  // namespace concertina::kernels
