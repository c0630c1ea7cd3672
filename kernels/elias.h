// SPDX-License-Identifier: Apache-2.0
// The codes of dithering.h as a stream of variable length: Elias' omega code in the two forms of
// QSGD (Alistarh et al. 2017, sections 3.1 and A.3). Called by the QSGD compressor on the
// communication thread; any thread may, on buffers of its own.
#pragma once
#include <cstdint>

#include "kernels/dithering.h"
#include "kernels/omega.h"

namespace concertina::kernels {

/// A message is two words for every bucket: its scale (fp32) and twice the words of its stream,
/// plus 1 where they are of the dense form. Then the streams, each beginning on a word (which costs
/// half a word a bucket, and lets the buckets of a message be read side by side). The most
/// significant bit of a word comes first.
/// Sparse: for each level that is not zero the gap to the one before (omega), the sign, the level
/// (omega); then the gap to the end of the bucket. Dense: for each element level + 1 (omega), and
/// the sign of those not zero. A bucket takes the shorter one; one of scale 0 has no stream.

/// No message of `count` elements is longer: (32 + 64) bits a bucket, 1 + omegaBits(s + 1) an
/// element. A multiple of 4.
inline std::int64_t eliasCapacityBytes(std::int64_t largestLevel,
                                       std::int64_t count,
                                       std::int64_t bucket) {
    const int longest = 1 + omegaCode(static_cast<std::uint32_t>(largestLevel) + 1).length;
    return 12 * ((count + bucket - 1) / bucket) + (count * longest + 31) / 32 * 4;
}
inline std::int64_t eliasCapacityBytes(const DitherFormat& format, std::int64_t count) {
    return eliasCapacityBytes(format.largestLevel, count, format.bucket);
}

/// One rank's message per row.
struct EliasRows {
    const void* first;
    std::int64_t strideBytes;
    const std::int64_t* rowBytes;  // host memory, one a row
    int rows;
};

/// encodeElias: codes and scales of ditherUnpacked become a message. REQUIRES: room for
/// eliasCapacityBytes() at `message`. CUDA: waits for the stream, because writtenBytes is returned.
/// eliasMean: as ditheredMean. Whatever is in the messages, nothing outside them is read and
/// nothing outside `mean` written. CUDA: waits for the stream.
namespace cpu {
KernelStatus encodeElias(const DitherFormat& format,
                         const std::uint32_t* codes,
                         const float* scales,
                         std::int64_t count,
                         std::uint32_t* message,
                         std::int64_t& writtenBytes,
                         Stream stream);
KernelStatus eliasMean(const DitherFormat& format,
                       const EliasRows& rows,
                       float* mean,
                       std::int64_t count,
                       Stream stream);
}  // namespace cpu
namespace cuda {
KernelStatus encodeElias(const DitherFormat& format,
                         const std::uint32_t* codes,
                         const float* scales,
                         std::int64_t count,
                         std::uint32_t* message,
                         std::int64_t& writtenBytes,
                         Stream stream);
KernelStatus eliasMean(const DitherFormat& format,
                       const EliasRows& rows,
                       float* mean,
                       std::int64_t count,
                       Stream stream);
}  // namespace cuda

inline KernelStatus encodeElias(const DitherFormat& format,
                                const std::uint32_t* codes,
                                const float* scales,
                                std::int64_t count,
                                std::uint32_t* message,
                                std::int64_t& writtenBytes,
                                Stream stream) {
    const auto run = stream.cuda ? cuda::encodeElias : cpu::encodeElias;
    return run(format, codes, scales, count, message, writtenBytes, stream);
}

inline KernelStatus eliasMean(const DitherFormat& format,
                              const EliasRows& rows,
                              float* mean,
                              std::int64_t count,
                              Stream stream) {
    return stream.cuda ? cuda::eliasMean(format, rows, mean, count, stream)
                       : cpu::eliasMean(format, rows, mean, count, stream);
}

}  // namespace concertina::kernels
