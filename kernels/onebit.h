// SPDX-License-Identifier: Apache-2.0
// One bit per element and two values per row: 1-bit SGD (Seide, Fu, Droppo, Li, Yu 2014; methods.md
// 6). Called by its compressor on the communication thread; any thread may, on buffers of its own.
// A message is, row by row, the mean of the elements that are not below zero and the mean of those
// below it (fp32, 0 for none), then the signs of the whole tensor as kernels/signs.h has them. Any
// bytes are a message.
#pragma once
#include <cstdint>

#include "kernels/signs.h"
#include "kernels/status.h"
#include "kernels/stream.h"

namespace concertina::kernels {

/// A row's two values; of an element, the one that stands for it.
struct GroupMeans {
    float positive, negative;
};

struct RowShape {
    std::int64_t rows, columns;
};

CONCERTINA_HD constexpr std::int64_t onebitBytes(RowShape shape) {
    return shape.rows * static_cast<std::int64_t>(sizeof(GroupMeans)) +
           signBytes(shape.rows * shape.columns);
}

/// Means are sums in fp64, divided and rounded once. On the CPU column j goes to lane j mod 8, and
/// lanes are added in order: the same bits on every machine; on CUDA blocks of fixed size are added
/// in a fixed tree. REQUIRES: rows, columns >= 1.
namespace cpu {
/// Writes the message of `values`; each value loses the mean that stands for it.
KernelStatus packOnebit(float* values, RowShape shape, void* message, Stream stream);
/// The mean over ranks of what stands for each element; ranks are added in their order, in fp32.
KernelStatus meanOfOnebit(const SignMessages& messages, RowShape shape, float* mean, Stream stream);
}  // namespace cpu
namespace cuda {
KernelStatus packOnebit(float* values, RowShape shape, void* message, Stream stream);
KernelStatus meanOfOnebit(const SignMessages& messages, RowShape shape, float* mean, Stream stream);
}  // namespace cuda

inline KernelStatus packOnebit(float* values, RowShape shape, void* message, Stream stream) {
    return (stream.cuda ? cuda::packOnebit : cpu::packOnebit)(values, shape, message, stream);
}

inline KernelStatus meanOfOnebit(const SignMessages& messages,
                                 RowShape shape,
                                 float* mean,
                                 Stream stream) {
    return (stream.cuda ? cuda::meanOfOnebit : cpu::meanOfOnebit)(messages, shape, mean, stream);
}

}  // namespace concertina::kernels
