// SPDX-License-Identifier: Apache-2.0
// One bit after the other, without vectors: a code's length is known when it is read.
#include "kernels/elias.h"

#include <algorithm>
#include <cstring>

#include "kernels/elias_bucket.h"

namespace concertina::kernels {
namespace {

/// Words of all streams, or a number beyond any message's where they cannot be those of one.
std::int64_t streamWords(const std::uint32_t* message, std::int64_t buckets) {
    std::int64_t words = 0;
    for (std::int64_t bucket = 0; bucket < buckets; ++bucket) {
        words += message[2 * bucket + 1] / 2;
    }
    return words;
}

KernelStatus addRow(
    const DitherFormat& format, const EliasRows& rows, int row, float* mean, std::int64_t count) {
    const std::int64_t buckets = format.buckets(count);
    const char* start = static_cast<const char*>(rows.first) + row * rows.strideBytes;
    const auto* message = reinterpret_cast<const std::uint32_t*>(start);
    const std::int64_t bytes = rows.rowBytes[row];
    if (bytes < 8 * buckets || bytes != 4 * (2 * buckets + streamWords(message, buckets))) {
        return {false, corruptLength(row, bytes)};
    }
    const std::uint32_t* stream = message + 2 * buckets;
    for (std::int64_t bucket = 0; bucket < buckets; ++bucket) {
        const std::uint32_t header = message[2 * bucket + 1];
        const std::int64_t begin = bucket * format.bucket;
        const float scale = floatOfBits(message[2 * bucket]);
        if (!addElias(format, stream, header, scale, static_cast<float>(rows.rows), mean + begin,
                      std::min(format.bucket, count - begin))) {
            return {false, corruptStream(row, bucket)};
        }
        stream += header / 2;
    }
    return {};
}

}  // namespace

KernelStatus cpu::encodeElias(const DitherFormat& format,
                              const std::uint32_t* codes,
                              const float* scales,
                              std::int64_t count,
                              std::uint32_t* message,
                              std::int64_t& writtenBytes,
                              Stream) {
    const std::int64_t buckets = format.buckets(count);
    std::uint32_t* stream = message + 2 * buckets;
    for (std::int64_t bucket = 0; bucket < buckets; ++bucket) {
        const std::int64_t begin = bucket * format.bucket;
        const std::int64_t size = std::min(format.bucket, count - begin);
        const EliasLength length = eliasLength(format, codes + begin, size, scales[bucket]);
        message[2 * bucket] = bitsOf(scales[bucket]);
        message[2 * bucket + 1] = length.header();
        if (length.words > 0) {
            writeElias(format, codes + begin, size, length.isDense, stream);
        }
        stream += length.words;
    }
    writtenBytes = 4 * (stream - message);
    return {};
}

KernelStatus cpu::eliasMean(
    const DitherFormat& format, const EliasRows& rows, float* mean, std::int64_t count, Stream) {
    std::memset(mean, 0, count * sizeof(float));
    KernelStatus status;
    for (int row = 0; row < rows.rows && status.ok; ++row) {
        status = addRow(format, rows, row, mean, count);
    }
    return status;
}

}  // namespace concertina::kernels
