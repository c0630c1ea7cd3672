// SPDX-License-Identifier: Apache-2.0
// A warp works on 32 elements: their planes are its votes, and its lanes are the sums of a bucket's
// squares. Arithmetic: dither_element.h, which the CPU's tests test.
#include "kernels/dithering.h"

#include "kernels/cuda/device.h"
#include "kernels/dither_element.h"

namespace concertina::kernels::cuda {
namespace {

constexpr unsigned kAllLanes = 0xFFFFFFFFU;
constexpr int kWarps = kThreads / 32;

__device__ std::int64_t warpOfGrid() {
    return std::int64_t{blockIdx.x} * kWarps + threadIdx.x / 32;
}

/// A warp per bucket.
__global__ void findScales(DitherFormat format,
                           const float* values,
                           std::int64_t count,
                           float* scales) {
    __shared__ double squares[kWarps][kNormLanes];
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    const std::int64_t bucket = warpOfGrid();
    const std::int64_t begin = bucket * format.bucket;
    const std::int64_t end = begin + format.bucket < count ? begin + format.bucket : count;
    double sum = 0;
    float largest = 0;
    for (std::int64_t i = begin + lane; i < end; i += 32) {
        const double wide = values[i];
        sum += wide * wide;
        largest = fmaxf(largest, fabsf(values[i]));
    }
    for (int half = 16; half > 0; half /= 2) {
        largest = fmaxf(largest, __shfl_xor_sync(kAllLanes, largest, half));
    }
    squares[warp][lane] = sum;
    __syncwarp();
    if (lane == 0 && begin < count) {
        scales[bucket] = format.scale == ScaleKind::Norm ? normOfSquares(squares[warp]) : largest;
    }
}

/// Rounds element i, leaves the loss in its place, returns its code.
__device__ std::uint32_t roundElement(const DitherFormat& format,
                                      float* values,
                                      std::int64_t i,
                                      PhiloxStream random,
                                      const float* scales) {
    const float scale = scales ? scales[i / format.bucket] : 1.0F;
    const float value = values[i];
    const std::uint32_t code = ditherCode(format, value, scale, random.word(i));
    values[i] = value - ditheredValue(format, code, scale);
    return code;
}

/// A warp per 32 elements.
__global__ void ditherToPlanes(DitherFormat format,
                               float* values,
                               std::int64_t count,
                               PhiloxStream random,
                               const float* scales,
                               std::uint32_t* codes) {
    const std::int64_t chunk = warpOfGrid();
    const std::int64_t i = chunk * kPlaneCodes + threadIdx.x % 32;
    const std::uint32_t code = i < count ? roundElement(format, values, i, random, scales) : 0;
    std::uint32_t planes[16];
    for (int plane = 0; plane < format.bits; ++plane) {
        planes[plane] = __ballot_sync(kAllLanes, code >> plane & 1U);
    }
    const std::int64_t left = count - chunk * kPlaneCodes;
    if (threadIdx.x % 32 == 0 && left > 0) {
        const int size = left < kPlaneCodes ? static_cast<int>(left) : kPlaneCodes;
        putPlanes(planes, format.bits, size, codes + chunk * format.bits);
    }
}

__global__ void ditherToWords(DitherFormat format,
                              float* values,
                              std::int64_t count,
                              PhiloxStream random,
                              const float* scales,
                              std::uint32_t* codes) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i < count) {
        codes[i] = roundElement(format, values, i, random, scales);
    }
}

constexpr unsigned long long kNoneCorrupt = ~0ULL;

/// The lowest (row, bucket) that is corrupt goes to `firstCorrupt`.
__global__ void meanKernel(DitherFormat format,
                           DitheredRows rows,
                           float* mean,
                           std::int64_t count,
                           unsigned long long* firstCorrupt) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i >= count) {
        return;
    }
    float sum = 0;
    for (int row = 0; row < rows.rows; ++row) {
        const float scale = scaleOfRow(rows, row, i / format.bucket);
        const std::uint32_t code = codeOfRow(format, rows, row, i, count);
        if (!isScale(scale) ||
            levelOfCode(format, code) > static_cast<std::uint32_t>(format.largestLevel)) {
            atomicMin(firstCorrupt, static_cast<unsigned long long>(row) << 40 |
                                        static_cast<unsigned long long>(i / format.bucket));
        }
        sum += ditheredValue(format, code, scale / static_cast<float>(rows.rows));
    }
    mean[i] = sum;
}

void startFindingScales(const DitherFormat& format,
                        const float* values,
                        std::int64_t count,
                        float* scales,
                        Stream stream) {
    if (format.scale != ScaleKind::Given) {
        findScales<<<blocksFor(format.buckets(count) * 32), kThreads, 0, handleOf(stream)>>>(
            format, values, count, scales);
    }
}

}  // namespace

KernelStatus dither(const DitherFormat& format,
                    float* values,
                    std::int64_t count,
                    const PhiloxStream& random,
                    float* scales,
                    std::uint32_t* codes,
                    Stream stream) {
    if (count == 0) {
        return {};
    }
    startFindingScales(format, values, count, scales, stream);
    ditherToPlanes<<<blocksFor(count), kThreads, 0, handleOf(stream)>>>(format, values, count,
                                                                        random, scales, codes);
    return launched();
}

KernelStatus ditherUnpacked(const DitherFormat& format,
                            float* values,
                            std::int64_t count,
                            const PhiloxStream& random,
                            float* scales,
                            std::uint32_t* codes,
                            Stream stream) {
    if (count == 0) {
        return {};
    }
    startFindingScales(format, values, count, scales, stream);
    ditherToWords<<<blocksFor(count), kThreads, 0, handleOf(stream)>>>(format, values, count,
                                                                       random, scales, codes);
    return launched();
}

KernelStatus ditheredMean(const DitherFormat& format,
                          const DitheredRows& rows,
                          float* mean,
                          std::int64_t count,
                          Stream stream) {
    if (count == 0) {
        return {};
    }
    const Scratch<unsigned long long> firstCorrupt(1, stream);
    if (!firstCorrupt.status().ok) {
        return firstCorrupt.status();
    }
    cudaMemsetAsync(firstCorrupt.data(), 0xFF, sizeof(unsigned long long), handleOf(stream));
    meanKernel<<<blocksFor(count), kThreads, 0, handleOf(stream)>>>(format, rows, mean, count,
                                                                    firstCorrupt.data());
    if (KernelStatus status = launched(); !status.ok) {
        return status;
    }
    unsigned long long corrupt = kNoneCorrupt;
    KernelStatus status = fetch(firstCorrupt.data(), corrupt, stream);
    if (!status.ok || corrupt == kNoneCorrupt) {
        return status;
    }
    return {false, corruptBucket(format, static_cast<int>(corrupt >> 40),
                                 static_cast<std::int64_t>(corrupt & 0xFFFFFFFFFFULL))};
}

}  // namespace concertina::kernels::cuda
