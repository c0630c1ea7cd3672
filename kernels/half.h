// SPDX-License-Identifier: Apache-2.0
// Half-precision numbers: fp16 (IEEE 754 binary16) and bf16 (the upper half of an fp32), rounded to
// nearest, ties to even. They are bit patterns in a std::uint16_t, because no type of C++20 is the
// same number on host and device. Called by compressors that send halves, on the communication
// thread; any thread may.
#pragma once
#include <cstdint>

#include "kernels/float_bits.h"
#include "kernels/status.h"
#include "kernels/stream.h"

namespace concertina::kernels {

enum class HalfType { Fp16, Bf16 };

/// Beyond 65520 infinity, below 2^-14 denormal; a NaN stays one, quiet, with its upper bits.
CONCERTINA_HD inline std::uint16_t toFp16(float value) {
    const std::uint32_t bits = bitsOf(value);
    const std::uint32_t sign = bits >> 16 & 0x8000U;
    const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
    std::uint32_t half;
    if (magnitude > 0x7F800000U) {
        half = 0x7E00U | (magnitude >> 13 & 0x3FFU);
    } else if (magnitude >= 0x47800000U) {  // 65536
        half = 0x7C00U;
    } else if (magnitude < 0x38800000U) {  // 2^-14: 0.5 has the spacing of fp16's denormals
        half = bitsOf(floatOfBits(magnitude) + 0.5F) - 0x3F000000U;
    } else {  // the exponent's bias goes from 127 to 15; a carry runs into it, up to infinity
        half = (magnitude - 0x38000000U + 0xFFFU + (magnitude >> 13 & 1U)) >> 13;
    }
    return static_cast<std::uint16_t>(sign | half);
}

/// Exact; a NaN keeps its bits.
CONCERTINA_HD inline float fromFp16(std::uint16_t half) {
    const std::uint32_t sign = (half & 0x8000U) << 16;
    const std::uint32_t shifted = (half & 0x7FFFU) << 13;
    if (shifted < 0x00800000U) {  // denormal: its fraction counts 2^-24
        const float magnitude = floatOfBits(shifted + 0x38800000U) - 0x1p-14F;
        return floatOfBits(sign | bitsOf(magnitude));
    }
    const std::uint32_t bias = shifted >= 0x0F800000U ? 0x70000000U : 0x38000000U;
    return floatOfBits(sign | (shifted + bias));
}

/// From half a step beyond the largest bf16 infinity; a NaN stays one, quiet, with its upper bits.
CONCERTINA_HD inline std::uint16_t toBf16(float value) {
    const std::uint32_t bits = bitsOf(value);
    if ((bits & 0x7FFFFFFFU) > 0x7F800000U) {
        return static_cast<std::uint16_t>(bits >> 16 | 0x40U);
    }
    return static_cast<std::uint16_t>((bits + 0x7FFFU + (bits >> 16 & 1U)) >> 16);
}

/// Exact.
CONCERTINA_HD inline float fromBf16(std::uint16_t half) {
    return floatOfBits(static_cast<std::uint32_t>(half) << 16);
}

CONCERTINA_HD inline std::uint16_t toHalf(HalfType type, float value) {
    return type == HalfType::Fp16 ? toFp16(value) : toBf16(value);
}

CONCERTINA_HD inline float fromHalf(HalfType type, std::uint16_t half) {
    return type == HalfType::Fp16 ? fromFp16(half) : fromBf16(half);
}

/// The largest |x| of which `ranks` values, each divided by `ranks` and rounded to a half, can be
/// added up in halves without overflow, in any order: one rounding to a half and at most ranks - 1
/// rounded sums make a result larger by a factor of (1 + u) each, u = 2^-11 for fp16 and 2^-8 for
/// bf16, so x (1 + u)^ranks has to stay within the largest finite half. (Overflow only begins half
/// a step above that one, which leaves room for the rounding of the division in fp32.)
inline float largestSummand(HalfType type, int ranks) {
    double largest = fromHalf(type, type == HalfType::Fp16 ? 0x7BFF : 0x7F7F);
    for (int rank = 0; rank < ranks; ++rank) {
        largest /= type == HalfType::Fp16 ? 1 + 0x1p-11 : 1 + 0x1p-8;
    }
    return static_cast<float>(largest);
}

/// One element of narrow().
CONCERTINA_HD inline std::uint16_t narrowed(HalfType type, float value, float limit, float ranks) {
    const float held = value > limit ? limit : value < -limit ? -limit : value;
    return toHalf(type, held / ranks);
}

/// halves = values / ranks as halves, |values| held to largestSummand(), so that the sum over ranks
/// is their mean and does not overflow; values -= ranks * halves: what this rank did not
/// contribute. Where nothing was held back exact for fewer than 2^12 ranks: both terms are
/// multiples of the value's last bit. REQUIRES: values are finite, ranks >= 1, no overlap.
namespace cpu {
KernelStatus narrow(float* values,
                    std::int64_t count,
                    HalfType type,
                    int ranks,
                    std::uint16_t* halves,
                    Stream stream);
/// values = halves, exactly.
KernelStatus widen(
    const std::uint16_t* halves, std::int64_t count, HalfType type, float* values, Stream stream);
}  // namespace cpu
namespace cuda {
KernelStatus narrow(float* values,
                    std::int64_t count,
                    HalfType type,
                    int ranks,
                    std::uint16_t* halves,
                    Stream stream);
KernelStatus widen(
    const std::uint16_t* halves, std::int64_t count, HalfType type, float* values, Stream stream);
}  // namespace cuda

inline KernelStatus narrow(float* values,
                           std::int64_t count,
                           HalfType type,
                           int ranks,
                           std::uint16_t* halves,
                           Stream stream) {
    const auto run = stream.cuda ? cuda::narrow : cpu::narrow;
    return run(values, count, type, ranks, halves, stream);
}

inline KernelStatus widen(
    const std::uint16_t* halves, std::int64_t count, HalfType type, float* values, Stream stream) {
    return (stream.cuda ? cuda::widen : cpu::widen)(halves, count, type, values, stream);
}

}  // namespace concertina::kernels
