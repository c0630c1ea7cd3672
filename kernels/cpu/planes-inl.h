// SPDX-License-Identifier: Apache-2.0
// 32 codes in vectors to and from their bit planes (kernels/bit_planes.h). Included by
// kernels/cpu/*.cpp once per target, after philox-inl.h.
#if defined(CONCERTINA_KERNELS_PLANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CONCERTINA_KERNELS_PLANES_INL_H_
#undef CONCERTINA_KERNELS_PLANES_INL_H_
#else
#define CONCERTINA_KERNELS_PLANES_INL_H_
#endif

#include "kernels/bit_planes.h"
#include "kernels/cpu/philox-inl.h"

HWY_BEFORE_NAMESPACE();
namespace concertina::kernels::HWY_NAMESPACE {

HWY_INLINE std::uint32_t bitsOfMask(hn::Mask<BitsTag> mask) {
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(BitsTag(), mask, bytes);
    return bytes[0];
}

HWY_INLINE void writePlanes(const WordVector* codes, int bits, std::uint32_t* planes) {
    for (int plane = 0; plane < bits; ++plane) {
        const WordVector bit = hn::Set(BitsTag(), 1U << plane);
        std::uint32_t word = 0;
        for (int i = 0; i < kVectors; ++i) {
            word |= bitsOfMask(hn::TestBit(codes[i], bit)) << (i * kFloatWidth);
        }
        planes[plane] = word;
    }
}

/// Planes first..last-1, the first one as the codes' lowest bit.
HWY_INLINE void readPlanes(const std::uint32_t* planes, int first, int last, WordVector* codes) {
    const BitsTag tag;
    WordVector places[kVectors];  // of lane j: bit j of the word's part for this vector
    for (int i = 0; i < kVectors; ++i) {
        places[i] = hn::Shl(hn::Set(tag, 1U << (i * kFloatWidth)), hn::Iota(tag, 0U));
        codes[i] = hn::Zero(tag);
    }
    for (int plane = first; plane < last; ++plane) {
        const WordVector word = hn::Set(tag, planes[plane]);
        const WordVector bit = hn::Set(tag, 1U << (plane - first));
        for (int i = 0; i < kVectors; ++i) {
            const auto isSet = hn::TestBit(word, places[i]);
            codes[i] = hn::Or(codes[i], hn::IfThenElseZero(isSet, bit));
        }
    }
}

}  // namespace concertina::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
