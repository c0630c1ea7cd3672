// SPDX-License-Identifier: Apache-2.0
// Eight doubles as one value, for sums of floats that must neither overflow nor depend on the
// instruction set: lanes-inl.h in fp64. Included by kernels/cpu/*.cpp once per target.
#if defined(CONCERTINA_KERNELS_DOUBLES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CONCERTINA_KERNELS_DOUBLES_INL_H_
#undef CONCERTINA_KERNELS_DOUBLES_INL_H_
#else
#define CONCERTINA_KERNELS_DOUBLES_INL_H_
#endif

#include "kernels/cpu/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace concertina::kernels::HWY_NAMESPACE {

using DoubleTag = hn::CappedTag<double, kLanes>;
constexpr std::size_t kDoubleWidth = hn::MaxLanes(DoubleTag());

struct Doubles {
    static constexpr std::size_t kParts = kLanes / kDoubleWidth;
    hn::Vec<DoubleTag> part[kParts];
};

HWY_INLINE Doubles zeroDoubles() {
    Doubles result;
    for (auto& part : result.part) {
        part = hn::Zero(DoubleTag());
    }
    return result;
}

/// Part `part` of the doubles that one value of floats becomes. A template, so that only the form
/// that a target has must compile; one lane has no halves.
template <class Vector>
HWY_INLINE hn::Vec<DoubleTag> promotePart(Vector values, std::size_t part) {
#if HWY_TARGET != HWY_SCALAR
    if constexpr (kFloatWidth != kDoubleWidth) {
        const hn::Rebind<float, DoubleTag> half;
        return hn::PromoteTo(
            DoubleTag(), part % 2 == 0 ? hn::LowerHalf(half, values) : hn::UpperHalf(half, values));
    } else
#endif
    {
        return hn::PromoteTo(DoubleTag(), values);
    }
}

HWY_INLINE Doubles promote(Floats values) {
    Doubles result;
    for (std::size_t i = 0; i < Doubles::kParts; ++i) {
        result.part[i] = promotePart(values.part[i * Floats::kParts / Doubles::kParts], i);
    }
    return result;
}

HWY_INLINE Doubles operator+(Doubles a, Doubles b) {
    for (std::size_t i = 0; i < Doubles::kParts; ++i) {
        a.part[i] = hn::Add(a.part[i], b.part[i]);
    }
    return a;
}

/// sum + a * b, of values that were floats: their product is exact in fp64, so fused or not, the
/// same bits.
HWY_INLINE Doubles addProduct(Doubles sum, Doubles a, Doubles b) {
    for (std::size_t i = 0; i < Doubles::kParts; ++i) {
        sum.part[i] = hn::MulAdd(a.part[i], b.part[i], sum.part[i]);
    }
    return sum;
}

/// sum + a * b of eight floats each, in fp64, where the product of two floats is exact: fused or
/// not, the same bits.
HWY_INLINE Doubles addProducts(Doubles sum, const float* a, const float* b) {
    const hn::Rebind<float, DoubleTag> half;
    for (std::size_t i = 0; i < Doubles::kParts; ++i) {
        const auto left = hn::PromoteTo(DoubleTag(), hn::LoadU(half, a + i * kDoubleWidth));
        const auto right = hn::PromoteTo(DoubleTag(), hn::LoadU(half, b + i * kDoubleWidth));
        sum.part[i] = hn::MulAdd(left, right, sum.part[i]);
    }
    return sum;
}

/// The same with the `count` < 8 floats that are left at the end of a row.
HWY_INLINE Doubles addSomeProducts(Doubles sum,
                                   const float* a,
                                   const float* b,
                                   std::int64_t count) {
    float paddedA[kLanes] = {};
    float paddedB[kLanes] = {};
    std::memcpy(paddedA, a, count * sizeof(float));
    std::memcpy(paddedB, b, count * sizeof(float));
    return addProducts(sum, paddedA, paddedB);
}

HWY_INLINE double sumOfLanes(Doubles values) {
    double lane[kLanes];
    for (std::size_t i = 0; i < Doubles::kParts; ++i) {
        hn::StoreU(values.part[i], DoubleTag(), lane + i * kDoubleWidth);
    }
    double sum = lane[0];
    for (int i = 1; i < kLanes; ++i) {
        sum += lane[i];
    }
    return sum;
}

}  // namespace concertina::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
