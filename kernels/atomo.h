// SPDX-License-Identifier: Apache-2.0
// Drawing atoms (ATOMO, Wang et al. 2018; methods.md 4): a tensor is a sum of atoms, each with a
// coefficient; an atom is drawn with probability p = min(1, |coefficient| / clip), on its own, and
// then sent with coefficient / p, so that the mean over draws is the tensor. That clip for which
// the probabilities add up to the budget makes the variance the least possible one. Called by the
// ATOMO compressor on the communication thread; any thread may, on buffers of its own.
#pragma once
#include <cmath>
#include <cstdint>

#include "kernels/accumulate.h"
#include "kernels/host_device.h"
#include "kernels/philox.h"
#include "kernels/status.h"
#include "kernels/stream.h"

namespace concertina::kernels {

// Probabilities are whole multiples of 2^-32, rounded up: as fine as the random words they are
// compared with, so that an atom is drawn exactly as often as its sent coefficient supposes,
// however unlikely it is. All that follows takes the scale 2^32 / clip; an infinite one draws every
// atom but those of coefficient zero.

constexpr double kWholeChance = 0x1p32;

/// p in units of 2^-32, 0 to 2^32.
CONCERTINA_HD inline double drawChance(float coefficient, double scale) {
    const double magnitude = coefficient < 0 ? -static_cast<double>(coefficient) : coefficient;
    const double chance = magnitude > 0 ? std::ceil(magnitude * scale) : 0;
    return chance < kWholeChance ? chance : kWholeChance;
}

CONCERTINA_HD inline bool isDrawn(float coefficient, double scale, std::uint32_t word) {
    return word < drawChance(coefficient, scale);
}

/// What an atom that was drawn is sent with.
CONCERTINA_HD inline float drawnCoefficient(float coefficient, double scale) {
    return static_cast<float>(coefficient * kWholeChance / drawChance(coefficient, scale));
}

/// The scale for which the probabilities of `coefficients` add up to `budget`, or, where fewer are
/// not zero, that draws all of these: the paper's rule, what is clipped at 1 leaving its share to
/// the others, without its sorting. Newton's method on sum p, which is concave and piecewise linear
/// in 1 / clip, from the clip of an unclipped sum on: each pass clips all that the last clip asks
/// for, and ends when none is new; of normal values none is, and no pass is made. `norms` are those
/// of the coefficients. REQUIRES: budget > 0, finite values. CUDA: waits for the stream.
KernelStatus findDrawScale(const float* coefficients,
                           std::int64_t count,
                           const Norms& norms,
                           double budget,
                           double& scale,
                           Stream stream);

/// Magnitudes on both sides of a clip.
struct ClipSums {
    double below = 0;        // sum of those not above it
    std::int64_t above = 0;  // how many are
};

/// Sums as accumulate (accumulate.h) takes them: the same bits on every CPU, and on every GPU.
/// CUDA: waits for the stream.
namespace cpu {
KernelStatus sumUpTo(
    const float* values, std::int64_t count, float clip, ClipSums& sums, Stream stream);
KernelStatus drawEntries(float* values,
                         std::int64_t count,
                         double scale,
                         const PhiloxStream& random,
                         void* message,
                         std::int64_t& writtenBytes,
                         Stream stream);
}  // namespace cpu
namespace cuda {
KernelStatus sumUpTo(
    const float* values, std::int64_t count, float clip, ClipSums& sums, Stream stream);
KernelStatus drawEntries(float* values,
                         std::int64_t count,
                         double scale,
                         const PhiloxStream& random,
                         void* message,
                         std::int64_t& writtenBytes,
                         Stream stream);
}  // namespace cuda

inline KernelStatus sumUpTo(
    const float* values, std::int64_t count, float clip, ClipSums& sums, Stream stream) {
    return stream.cuda ? cuda::sumUpTo(values, count, clip, sums, stream)
                       : cpu::sumUpTo(values, count, clip, sums, stream);
}

/// Draws entries as atoms, entry i by word i, and writes a message of variable size
/// (sparse_lists.h): their indices in ascending order, then what they are sent with; where
/// goesDense, all entries, those not drawn as zeros. What is sent is subtracted from `values`.
/// writtenBytes: 8 an entry, or 4 count. REQUIRES: count <= 2^31 - 1, room for 4 count bytes, no
/// overlaps. CUDA: waits for the stream, because writtenBytes is returned.
inline KernelStatus drawEntries(float* values,
                                std::int64_t count,
                                double scale,
                                const PhiloxStream& random,
                                void* message,
                                std::int64_t& writtenBytes,
                                Stream stream) {
    const auto draw = stream.cuda ? cuda::drawEntries : cpu::drawEntries;
    return draw(values, count, scale, random, message, writtenBytes, stream);
}

}  // namespace concertina::kernels
