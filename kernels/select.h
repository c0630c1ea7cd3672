// SPDX-License-Identifier: Apache-2.0
// Moving the entries that reach a threshold out of a tensor into a message of variable size, and
// what is needed to choose the threshold. Called by the compressors threshold, dgc and topk (scope
// model) on the communication thread; any thread may, on buffers of its own.
#pragma once
#include <cstdint>

#include "kernels/philox.h"
#include "kernels/status.h"
#include "kernels/stream.h"

namespace concertina::kernels {

/// Moves the entries with |x| >= least out of `values`: they become +0 there, and `message` gets
/// their indices in ascending order, then their values. A zero is never moved: it would say
/// nothing. Where goesDense (sparse_lists.h), the message is all values instead and all become +0:
/// that is no longer and loses nothing. writtenBytes: 8 an entry, or 4 count. REQUIRES: count <=
/// 2^31 - 1, room for 4 count bytes, no overlaps. CUDA: waits for the stream, because writtenBytes
/// is returned.
namespace cpu {
KernelStatus selectAbove(float* values,
                         std::int64_t count,
                         float least,
                         void* message,
                         std::int64_t& writtenBytes,
                         Stream stream);
KernelStatus countAbove(
    const float* values, std::int64_t count, float least, std::int64_t& found, Stream stream);
KernelStatus sampleOneIn(const float* values,
                         std::int64_t stride,
                         std::int64_t samples,
                         const PhiloxStream& random,
                         float* sample,
                         Stream stream);
}  // namespace cpu
namespace cuda {
KernelStatus selectAbove(float* values,
                         std::int64_t count,
                         float least,
                         void* message,
                         std::int64_t& writtenBytes,
                         Stream stream);
KernelStatus countAbove(
    const float* values, std::int64_t count, float least, std::int64_t& found, Stream stream);
KernelStatus sampleOneIn(const float* values,
                         std::int64_t stride,
                         std::int64_t samples,
                         const PhiloxStream& random,
                         float* sample,
                         Stream stream);
}  // namespace cuda

inline KernelStatus selectAbove(float* values,
                                std::int64_t count,
                                float least,
                                void* message,
                                std::int64_t& writtenBytes,
                                Stream stream) {
    const auto select = stream.cuda ? cuda::selectAbove : cpu::selectAbove;
    return select(values, count, least, message, writtenBytes, stream);
}

/// How many entries selectAbove would move: |x| >= least, zeros not counted. CUDA: waits.
inline KernelStatus countAbove(
    const float* values, std::int64_t count, float least, std::int64_t& found, Stream stream) {
    return stream.cuda ? cuda::countAbove(values, count, least, found, stream)
                       : cpu::countAbove(values, count, least, found, stream);
}

/// sample[i] is one of the `stride` elements from i * stride on, which one is drawn from word i:
/// one of each run, and not anywhere, so that memory is read in order and no element is drawn
/// twice. REQUIRES: samples * stride elements in `values`.
inline KernelStatus sampleOneIn(const float* values,
                                std::int64_t stride,
                                std::int64_t samples,
                                const PhiloxStream& random,
                                float* sample,
                                Stream stream) {
    const auto draw = stream.cuda ? cuda::sampleOneIn : cpu::sampleOneIn;
    return draw(values, stride, samples, random, sample, stream);
}

/// Which element sample i is: shared by host and device.
CONCERTINA_HD inline std::int64_t sampledElement(std::int64_t i,
                                                 std::int64_t stride,
                                                 std::uint32_t word) {
    return i * stride + static_cast<std::int64_t>((std::uint64_t{word} * stride) >> 32);
}

}  // namespace concertina::kernels
