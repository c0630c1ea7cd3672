// SPDX-License-Identifier: Apache-2.0
// A thread per bucket; where the buckets' streams begin is summed up between measuring and writing
// them. Arithmetic: elias_bucket.h, which the CPU's tests test.
#include "kernels/elias.h"

#include "kernels/cuda/device.h"
#include "kernels/elias_bucket.h"

namespace concertina::kernels::cuda {
namespace {

__device__ std::int64_t sizeOf(const DitherFormat& format,
                               std::int64_t bucket,
                               std::int64_t count) {
    const std::int64_t left = count - bucket * format.bucket;
    return left < format.bucket ? left : format.bucket;
}

__global__ void writeHeaders(DitherFormat format,
                             const std::uint32_t* codes,
                             const float* scales,
                             std::int64_t count,
                             std::uint32_t* message) {
    const std::int64_t bucket = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (bucket < format.buckets(count)) {
        const EliasLength length = eliasLength(format, codes + bucket * format.bucket,
                                               sizeOf(format, bucket, count), scales[bucket]);
        message[2 * bucket] = bitsOf(scales[bucket]);
        message[2 * bucket + 1] = length.header();
    }
}

/// One block: firsts[b] is the word of the message at which bucket b's stream begins,
/// firsts[buckets] where the last one ends. A thread sums up a run of buckets, then adds what the
/// threads before it have.
__global__ void findStreams(const std::uint32_t* message,
                            std::int64_t buckets,
                            std::int64_t* firsts) {
    __shared__ std::int64_t totals[kThreads];
    const std::int64_t run = (buckets + kThreads - 1) / kThreads;
    const std::int64_t first = min(threadIdx.x * run, buckets);
    const std::int64_t end = min(first + run, buckets);
    std::int64_t total = 0;
    for (std::int64_t bucket = first; bucket < end; ++bucket) {
        total += message[2 * bucket + 1] / 2;
    }
    totals[threadIdx.x] = total;
    __syncthreads();
    std::int64_t at = 2 * buckets;
    for (unsigned thread = 0; thread < threadIdx.x; ++thread) {
        at += totals[thread];
    }
    for (std::int64_t bucket = first; bucket < end; ++bucket) {
        firsts[bucket] = at;
        at += message[2 * bucket + 1] / 2;
    }
    if (threadIdx.x == kThreads - 1) {
        firsts[buckets] = at;
    }
}

__global__ void writeStreams(DitherFormat format,
                             const std::uint32_t* codes,
                             std::int64_t count,
                             const std::int64_t* firsts,
                             std::uint32_t* message) {
    const std::int64_t bucket = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (bucket >= format.buckets(count)) {
        return;
    }
    const std::uint32_t header = message[2 * bucket + 1];
    if (header != 0) {
        writeElias(format, codes + bucket * format.bucket, sizeOf(format, bucket, count),
                   (header & 1U) != 0, message + firsts[bucket]);
    }
}

constexpr unsigned long long kNoneCorrupt = ~0ULL;

/// Of one row. The lowest bucket that is corrupt goes to `firstCorrupt`.
__global__ void addStreams(DitherFormat format,
                           const std::uint32_t* message,
                           const std::int64_t* firsts,
                           int rows,
                           float* mean,
                           std::int64_t count,
                           unsigned long long* firstCorrupt) {
    const std::int64_t bucket = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (bucket >= format.buckets(count)) {
        return;
    }
    const float scale = floatOfBits(message[2 * bucket]);
    if (!addElias(format, message + firsts[bucket], message[2 * bucket + 1], scale,
                  static_cast<float>(rows), mean + bucket * format.bucket,
                  sizeOf(format, bucket, count))) {
        atomicMin(firstCorrupt, static_cast<unsigned long long>(bucket));
    }
}

KernelStatus addRow(const DitherFormat& format,
                    const EliasRows& rows,
                    int row,
                    float* mean,
                    std::int64_t count,
                    Stream stream) {
    const cudaStream_t handle = handleOf(stream);
    const std::int64_t buckets = format.buckets(count);
    const std::int64_t bytes = rows.rowBytes[row];
    const char* start = static_cast<const char*>(rows.first) + row * rows.strideBytes;
    const auto* message = reinterpret_cast<const std::uint32_t*>(start);
    const Scratch<std::int64_t> firsts(buckets + 1, stream);
    const Scratch<unsigned long long> firstCorrupt(1, stream);
    for (const KernelStatus* status : {&firsts.status(), &firstCorrupt.status()}) {
        if (!status->ok) {
            return *status;
        }
    }
    if (bytes < 8 * buckets) {
        return {false, corruptLength(row, bytes)};
    }
    findStreams<<<1, kThreads, 0, handle>>>(message, buckets, firsts.data());
    if (KernelStatus status = launched(); !status.ok) {
        return status;
    }
    std::int64_t words = 0;
    if (KernelStatus status = fetch(firsts.data() + buckets, words, stream); !status.ok) {
        return status;
    }
    if (4 * words != bytes) {
        return {false, corruptLength(row, bytes)};
    }
    cudaMemsetAsync(firstCorrupt.data(), 0xFF, sizeof(unsigned long long), handle);
    addStreams<<<blocksFor(buckets), kThreads, 0, handle>>>(
        format, message, firsts.data(), rows.rows, mean, count, firstCorrupt.data());
    if (KernelStatus status = launched(); !status.ok) {
        return status;
    }
    unsigned long long corrupt = kNoneCorrupt;
    KernelStatus status = fetch(firstCorrupt.data(), corrupt, stream);
    if (!status.ok || corrupt == kNoneCorrupt) {
        return status;
    }
    return {false, corruptStream(row, static_cast<std::int64_t>(corrupt))};
}

}  // namespace

KernelStatus encodeElias(const DitherFormat& format,
                         const std::uint32_t* codes,
                         const float* scales,
                         std::int64_t count,
                         std::uint32_t* message,
                         std::int64_t& writtenBytes,
                         Stream stream) {
    writtenBytes = 0;
    if (count == 0) {
        return {};
    }
    const cudaStream_t handle = handleOf(stream);
    const std::int64_t buckets = format.buckets(count);
    const Scratch<std::int64_t> firsts(buckets + 1, stream);
    if (!firsts.status().ok) {
        return firsts.status();
    }
    const unsigned blocks = blocksFor(buckets);
    writeHeaders<<<blocks, kThreads, 0, handle>>>(format, codes, scales, count, message);
    findStreams<<<1, kThreads, 0, handle>>>(message, buckets, firsts.data());
    writeStreams<<<blocks, kThreads, 0, handle>>>(format, codes, count, firsts.data(), message);
    if (KernelStatus status = launched(); !status.ok) {
        return status;
    }
    std::int64_t words = 0;
    KernelStatus status = fetch(firsts.data() + buckets, words, stream);
    writtenBytes = 4 * words;
    return status;
}

KernelStatus eliasMean(const DitherFormat& format,
                       const EliasRows& rows,
                       float* mean,
                       std::int64_t count,
                       Stream stream) {
    if (count == 0) {
        return {};
    }
    cudaMemsetAsync(mean, 0, count * sizeof(float), handleOf(stream));
    for (int row = 0; row < rows.rows; ++row) {
        if (KernelStatus status = addRow(format, rows, row, mean, count, stream); !status.ok) {
            return status;
        }
    }
    return {};
}

}  // namespace concertina::kernels::cuda
