// SPDX-License-Identifier: Apache-2.0
// The arithmetic of dithering.h for one element, shared by CPU and GPU: every operation is one that
// IEEE 754 rounds correctly, so that both give the same bits. Pure; any thread.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "kernels/bit_planes.h"
#include "kernels/dithering.h"
#include "kernels/float_bits.h"

namespace concertina::kernels {

/// A bucket's squares are added to as many sums, element i to sum i mod 32, and these in the order
/// of squaresOf: a warp's order, and that of vectors of eight in turn.
constexpr int kNormLanes = 32;

/// 2^exponent, -126 <= exponent <= 127.
CONCERTINA_HD inline float powerOfTwo(int exponent) {
    return floatOfBits(static_cast<std::uint32_t>(exponent + 127) << 23);
}

CONCERTINA_HD inline float normOfSquares(const double* lanes) {
    double sum = 0;
    for (int first = 0; first < kNormLanes; first += 8) {
        double eight = lanes[first];
        for (int i = 1; i < 8; ++i) {
            eight += lanes[first + i];
        }
        sum += eight;
    }
    const double norm = std::sqrt(sum);
    const double largest = 3.4028234663852886e38;  // of fp32
    return static_cast<float>(norm < largest ? norm : largest);
}

/// Equal spacing. The level and its fraction are one fixed-point number; adding random bits to the
/// fraction carries into the level with the fraction's probability.
CONCERTINA_HD inline float levelsTimesFraction(const DitherFormat& format) {
    return static_cast<float>(format.unitLevel) * powerOfTwo(32 - format.bits);
}

/// Of x = min(|value|, clip) / scale, 0 <= x <= 1 (any x of powersOfTwo()).
CONCERTINA_HD inline std::uint32_t ditherLevel(const DitherFormat& format,
                                               float x,
                                               std::uint32_t word) {
    if (format.spacing == Spacing::Equal) {
        const auto fixed = static_cast<std::int32_t>(x * levelsTimesFraction(format));
        return (static_cast<std::uint32_t>(fixed) + (word >> format.bits)) >> (32 - format.bits);
    }
    // A float's mantissa is how far it is from its power of two to the next: random bits added to
    // it carry into the exponent with that probability. Below the lowest level the way is from 0 to
    // that level; adding the level makes it a mantissa.
    const float lowest = powerOfTwo(1 - format.unitLevel);
    const bool isBelow = x < lowest;
    const std::uint32_t exponent = (bitsOf(isBelow ? x + lowest : x) + (word >> 9)) >> 23;
    const auto level = static_cast<int>(exponent) - (127 - format.unitLevel) - (isBelow ? 1 : 0);
    return static_cast<std::uint32_t>(level < format.largestLevel ? level : format.largestLevel);
}

/// What a level stands for, without the sign.
CONCERTINA_HD inline float ditheredMagnitude(const DitherFormat& format,
                                             std::uint32_t level,
                                             float scale) {
    if (format.spacing == Spacing::Equal) {
        const float step = 1.0F / static_cast<float>(format.unitLevel);
        return static_cast<float>(static_cast<std::int32_t>(level)) * step * scale;
    }
    const std::uint32_t exponent = level + static_cast<std::uint32_t>(127 - format.unitLevel);
    return (level == 0 ? 0.0F : floatOfBits(exponent << 23)) * scale;
}

CONCERTINA_HD inline std::uint32_t ditherCode(const DitherFormat& format,
                                              float value,
                                              float scale,
                                              std::uint32_t word) {
    const float magnitude = value < 0 ? -value : value;
    const float clipped = magnitude < format.clip ? magnitude : format.clip;
    const std::uint32_t sign = bitsOf(value) >> 31 << (format.bits - 1);
    return ditherLevel(format, clipped / (scale > 0 ? scale : 1.0F), word) | sign;
}

CONCERTINA_HD inline std::uint32_t levelOfCode(const DitherFormat& format, std::uint32_t code) {
    return code & ((1U << (format.bits - 1)) - 1);
}

/// What a code stands for.
CONCERTINA_HD inline float ditheredValue(const DitherFormat& format,
                                         std::uint32_t code,
                                         float scale) {
    const float magnitude = ditheredMagnitude(format, levelOfCode(format, code), scale);
    return (code >> (format.bits - 1) & 1U) != 0 ? -magnitude : magnitude;
}

CONCERTINA_HD inline float scaleOfRow(const DitheredRows& rows, int row, std::int64_t bucket) {
    const char* start = static_cast<const char*>(rows.scales) + row * rows.scalesStrideBytes;
    return rows.scales ? reinterpret_cast<const float*>(start)[bucket] : 1.0F;
}

CONCERTINA_HD inline const std::uint32_t* codesOfRow(const DitheredRows& rows, int row) {
    const char* start = static_cast<const char*>(rows.codes) + row * rows.codesStrideBytes;
    return reinterpret_cast<const std::uint32_t*>(start);
}

/// Code of element i of `count`.
CONCERTINA_HD inline std::uint32_t codeOfRow(const DitherFormat& format,
                                             const DitheredRows& rows,
                                             int row,
                                             std::int64_t i,
                                             std::int64_t count) {
    const std::int64_t first = i / kPlaneCodes * kPlaneCodes;
    const int size = count - first < kPlaneCodes ? static_cast<int>(count - first) : kPlaneCodes;
    const std::uint32_t* words = codesOfRow(rows, row) + i / kPlaneCodes * format.bits;
    std::uint32_t code = 0;
    for (int plane = 0; plane < format.bits; ++plane) {
        code |= (planeOf(words, plane, size) >> (i - first) & 1U) << plane;
    }
    return code;
}

CONCERTINA_HD inline bool isScale(float scale) {
    return scale >= 0 && scale <= 3.4028234663852886e38F;
}

inline std::string corruptBucket(const DitherFormat& format, int row, std::int64_t bucket) {
    return "bucket " + std::to_string(bucket) + " of rank " + std::to_string(row) +
           " is corrupted: its scale must be finite and not negative, its levels at most " +
           std::to_string(format.largestLevel);
}

}  // namespace concertina::kernels
