// SPDX-License-Identifier: Apache-2.0
// Collecting the elements that a condition names, whatever the condition: the vectorized part of
// every selection of variable size. Included by kernels/cpu/*.cpp once per target.
#if defined(CONCERTINA_KERNELS_SELECT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CONCERTINA_KERNELS_SELECT_INL_H_
#undef CONCERTINA_KERNELS_SELECT_INL_H_
#else
#define CONCERTINA_KERNELS_SELECT_INL_H_
#endif

#include <cstdint>
#include <cstring>

#include "kernels/cpu/candidates.h"
#include "kernels/cpu/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace concertina::kernels::HWY_NAMESPACE {

using SignedTag = hn::RebindToSigned<FloatTag>;

/// Appends those of the kFloatWidth elements from `at` on that `wanted` names; may write as many
/// places.
HWY_INLINE void append(const float* values,
                       std::int64_t at,
                       hn::Mask<FloatTag> wanted,
                       Candidates& found) {
    const SignedTag tag;
    if (hn::AllFalse(FloatTag(), wanted)) {  // of nearly all: then spare the shuffles
        return;
    }
    const auto chosen = hn::RebindMask(tag, wanted);
    const auto raw = hn::BitCast(tag, hn::LoadU(FloatTag(), values + at));
    if (found.indices) {
        const auto indices = hn::Iota(tag, static_cast<std::int32_t>(at));
        hn::CompressStore(indices, chosen, tag, found.indices.get() + found.size);
    }
    found.size += hn::CompressStore(raw, chosen, tag, found.bits.get() + found.size);
}

/// Appends the elements in [begin, end) that `where` names: where.lanes(i) is the mask of
/// kFloatWidth elements from i on, where.one(i) the same of one; each element is asked for once, in
/// order.
template <typename Where>
HWY_INLINE void appendWhere(
    const float* values, std::int64_t begin, std::int64_t end, Where& where, Candidates& found) {
    constexpr auto kWidth = static_cast<std::int64_t>(kFloatWidth);
    found.makeRoom(end - begin + kWidth);
    std::int64_t i = begin;
    for (; i + kWidth <= end; i += kWidth) {
        append(values, i, where.lanes(i), found);
    }
    for (; i < end; ++i) {
        if (where.one(i)) {
            std::memcpy(&found.bits[found.size], values + i, sizeof(float));
            if (found.indices) {
                found.indices[found.size] = static_cast<std::int32_t>(i);
            }
            ++found.size;
        }
    }
}

}  // namespace concertina::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
