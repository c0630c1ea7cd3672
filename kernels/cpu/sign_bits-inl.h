// SPDX-License-Identifier: Apache-2.0
// Signs of eight floats as the bits of a byte, and back. Included by kernels/cpu/*.cpp once per
// target.
#if defined(CONCERTINA_KERNELS_SIGN_BITS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CONCERTINA_KERNELS_SIGN_BITS_INL_H_
#undef CONCERTINA_KERNELS_SIGN_BITS_INL_H_
#else
#define CONCERTINA_KERNELS_SIGN_BITS_INL_H_
#endif

#include <cstdint>

#include "kernels/cpu/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace concertina::kernels::HWY_NAMESPACE {

/// Bit i: lane i is below zero.
HWY_INLINE std::uint8_t negativeBits(Floats values) {
    unsigned bits = 0;
    for (std::size_t i = 0; i < Floats::kParts; ++i) {
        std::uint8_t some[8] = {};
        const FloatTag tag;
        hn::StoreMaskBits(tag, hn::Lt(values.part[i], hn::Zero(tag)), some);
        bits |= static_cast<unsigned>(some[0]) << (i * kFloatWidth);
    }
    return static_cast<std::uint8_t>(bits);
}

/// What stands for an element of either sign.
struct StandIns {
    Floats positive, negative;
};

HWY_INLINE StandIns standIns(float positive, float negative) {
    return {broadcast(positive), broadcast(negative)};
}

/// Lane i: the negative stand-in where bit i is set.
HWY_INLINE Floats choose(std::uint8_t bits, const StandIns& from) {
    Floats chosen;
    for (std::size_t i = 0; i < Floats::kParts; ++i) {
        const std::uint8_t some[8] = {static_cast<std::uint8_t>(bits >> (i * kFloatWidth))};
        const auto negative = hn::LoadMaskBits(FloatTag(), some);
        chosen.part[i] = hn::IfThenElse(negative, from.negative.part[i], from.positive.part[i]);
    }
    return chosen;
}

/// Elements first..end-1 of a tensor: each loses what stands for it, and its sign is or-ed into the
/// tensor's signs, where whole bytes are written.
HWY_INLINE void packRange(float* values,
                          std::int64_t first,
                          std::int64_t end,
                          float positive,
                          float negative,
                          std::uint8_t* signs) {
    const auto packOne = [&](std::int64_t i) {
        const bool isBelow = values[i] < 0;
        signs[i / 8] = static_cast<std::uint8_t>(signs[i / 8] | isBelow << (i % 8));
        values[i] -= isBelow ? negative : positive;
    };
    const StandIns pair = standIns(positive, negative);
    std::int64_t i = first;
    for (; i < end && i % kLanes != 0; ++i) {
        packOne(i);
    }
    for (; i + kLanes <= end; i += kLanes) {
        const Floats eight = load(values + i);
        const std::uint8_t bits = negativeBits(eight);
        signs[i / 8] = bits;
        store(eight - choose(bits, pair), values + i);
    }
    for (; i < end; ++i) {
        packOne(i);
    }
}

}  // namespace concertina::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
