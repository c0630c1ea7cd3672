// SPDX-License-Identifier: Apache-2.0
// Stochastic rounding of each element to one of a few levels of its bucket's scale, unbiased, and
// the mean of such roundings over ranks: what QSGD, natural compression, natural dithering and
// TernGrad have in common; they differ in where the levels lie. Called by their compressors on the
// communication thread; any thread may, on buffers of its own.
#pragma once
#include <cstdint>
#include <limits>

#include "kernels/philox.h"
#include "kernels/status.h"
#include "kernels/stream.h"

namespace concertina::kernels {

/// Level l stands for scale * l / unitLevel (Equal), or for scale * 2^(l - unitLevel), and 0 for 0
/// (Halving).
enum class Spacing { Equal, Halving };

/// Of a bucket: its l2 norm, its largest magnitude, or what the caller wrote.
enum class ScaleKind { Norm, Largest, Given };

struct DitherFormat {
    Spacing spacing;
    ScaleKind scale;
    int bits;             // of a code: the level, and above it the sign; 2..16
    int largestLevel;     // at most 2^(bits-1) - 1
    int unitLevel;        // the level of the scale itself; at most 127 where Halving
    std::int64_t bucket;  // elements that share a scale; a multiple of 32
    float clip = std::numeric_limits<float>::max();  // magnitudes above it count as it

    CONCERTINA_HD std::int64_t buckets(std::int64_t count) const {
        return (count + bucket - 1) / bucket;
    }
};

/// s equal steps (Alistarh et al., QSGD, 2017, section 3.1). REQUIRES: steps < 2^(bits-1).
constexpr DitherFormat equalLevels(int bits, int steps, ScaleKind scale, std::int64_t bucket) {
    return {Spacing::Equal, scale, bits, steps, steps, bucket};
}

/// 1, 1/2, ..., 2^(1-s) with s = 2^(bits-1) - 1: natural dithering (Horvath et al., Natural
/// compression for distributed deep learning, 2019). REQUIRES: bits <= 8.
constexpr DitherFormat halvingLevels(int bits, ScaleKind scale, std::int64_t bucket) {
    return {Spacing::Halving, scale, bits, (1 << (bits - 1)) - 1, (1 << (bits - 1)) - 1, bucket};
}

/// All powers of two that are floats, 2^-126 to 2^127: natural compression (the same paper); 9
/// bits. It needs no scale: pass null for scales. What should become 2^128 becomes 2^127.
constexpr DitherFormat powersOfTwo() {
    return {Spacing::Halving, ScaleKind::Given, 9, 254, 127, std::int64_t{1} << 40};
}

/// One rank's payload per row. Null scales: every scale is 1.
struct DitheredRows {
    const void* scales;  // fp32, one a bucket
    std::int64_t scalesStrideBytes;
    const void* codes;  // as bit planes (bit_planes.h)
    std::int64_t codesStrideBytes;
    int rows;
};

/// dither: rounds up with the probability that makes it unbiased, exact to 2^-31 of the scale
/// (Equal) or 2^-23 of the gap between two levels (Halving: a float's whole mantissa); element i
/// draws word i of `random`. Writes one scale a bucket (unless they are given), the codes
/// as bit planes, planeBytes(count, bits) of them, and leaves in `values` what was lost: value
/// minus rounded value. A bucket of scale 0 gives zeros. A norm beyond fp32 counts as the largest
/// fp32: any scale not below the largest magnitude is unbiased.
/// ditherUnpacked: the same with one word a code.
/// ditheredMean: mean of what the rows stand for, added in their order, each divided first so that
/// no sum overflows; all of it is written. A scale that is not finite or is negative, or a level
/// above the largest (a corrupted payload), gives a status that names row and bucket; what is in
/// `mean` is then of no use. CUDA: waits for the stream, because that status is returned.
/// CPU and CUDA give the same bits. REQUIRES: finite values, given scales not below the clipped
/// magnitudes, no overlaps.
namespace cpu {
KernelStatus dither(const DitherFormat& format,
                    float* values,
                    std::int64_t count,
                    const PhiloxStream& random,
                    float* scales,
                    std::uint32_t* codes,
                    Stream stream);
KernelStatus ditherUnpacked(const DitherFormat& format,
                            float* values,
                            std::int64_t count,
                            const PhiloxStream& random,
                            float* scales,
                            std::uint32_t* codes,
                            Stream stream);
KernelStatus ditheredMean(const DitherFormat& format,
                          const DitheredRows& rows,
                          float* mean,
                          std::int64_t count,
                          Stream stream);
}  // namespace cpu
namespace cuda {
KernelStatus dither(const DitherFormat& format,
                    float* values,
                    std::int64_t count,
                    const PhiloxStream& random,
                    float* scales,
                    std::uint32_t* codes,
                    Stream stream);
KernelStatus ditherUnpacked(const DitherFormat& format,
                            float* values,
                            std::int64_t count,
                            const PhiloxStream& random,
                            float* scales,
                            std::uint32_t* codes,
                            Stream stream);
KernelStatus ditheredMean(const DitherFormat& format,
                          const DitheredRows& rows,
                          float* mean,
                          std::int64_t count,
                          Stream stream);
}  // namespace cuda

inline KernelStatus dither(const DitherFormat& format,
                           float* values,
                           std::int64_t count,
                           const PhiloxStream& random,
                           float* scales,
                           std::uint32_t* codes,
                           Stream stream) {
    const auto run = stream.cuda ? cuda::dither : cpu::dither;
    return run(format, values, count, random, scales, codes, stream);
}

inline KernelStatus ditherUnpacked(const DitherFormat& format,
                                   float* values,
                                   std::int64_t count,
                                   const PhiloxStream& random,
                                   float* scales,
                                   std::uint32_t* codes,
                                   Stream stream) {
    const auto run = stream.cuda ? cuda::ditherUnpacked : cpu::ditherUnpacked;
    return run(format, values, count, random, scales, codes, stream);
}

inline KernelStatus ditheredMean(const DitherFormat& format,
                                 const DitheredRows& rows,
                                 float* mean,
                                 std::int64_t count,
                                 Stream stream) {
    return stream.cuda ? cuda::ditheredMean(format, rows, mean, count, stream)
                       : cpu::ditheredMean(format, rows, mean, count, stream);
}

}  // namespace concertina::kernels
