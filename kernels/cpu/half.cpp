// SPDX-License-Identifier: Apache-2.0
#include "kernels/half.h"

#include "kernels/cpu/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/half.cpp"
#include "hwy/foreach_target.h"
#include "kernels/cpu/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace concertina::kernels::HWY_NAMESPACE {

// Not the conversions of F16C: what half.h says in whole numbers, eight at a time, also where the
// machine has none, and NaNs the same. Patterns stay below 2^31, so that the signed comparison,
// which AVX2 has, is right.
using IntTag = hn::RebindToSigned<FloatTag>;
using HalfTag = hn::Rebind<std::uint16_t, FloatTag>;
using FloatPart = hn::Vec<FloatTag>;
using IntPart = hn::Vec<IntTag>;

HWY_INLINE IntPart whole(std::int32_t value) { return hn::Set(IntTag(), value); }

/// toFp16 and toBf16, in the lower 16 bits of each lane.
template <HalfType kType>
HWY_INLINE IntPart toHalves(FloatPart values) {
    const auto raw = hn::BitCast(IntTag(), values);
    const auto magnitude = hn::And(raw, whole(0x7FFFFFFF));
    const auto sign = hn::And(hn::ShiftRight<16>(raw), whole(0x8000));
    const auto isNan = hn::Gt(magnitude, whole(0x7F800000));
    if constexpr (kType == HalfType::Bf16) {
        const auto odd = hn::And(hn::ShiftRight<16>(magnitude), whole(1));
        const auto rounded = hn::ShiftRight<16>(hn::Add(hn::Add(magnitude, whole(0x7FFF)), odd));
        const auto nan = hn::Or(hn::ShiftRight<16>(magnitude), whole(0x40));
        return hn::Or(sign, hn::IfThenElse(isNan, nan, rounded));
    }
    const auto shifted = hn::ShiftRight<13>(magnitude);
    const auto odd = hn::And(shifted, whole(1));
    const auto normal =
        hn::ShiftRight<13>(hn::Add(hn::Add(magnitude, whole(0xFFF - 0x38000000)), odd));
    const auto small = hn::Add(hn::BitCast(FloatTag(), magnitude), hn::Set(FloatTag(), 0.5F));
    const auto denormal = hn::Sub(hn::BitCast(IntTag(), small), whole(0x3F000000));
    const auto nan = hn::Or(whole(0x7E00), hn::And(shifted, whole(0x3FF)));
    const auto large = hn::IfThenElse(isNan, nan, whole(0x7C00));
    const auto finite = hn::IfThenElse(hn::Lt(magnitude, whole(0x38800000)), denormal, normal);
    return hn::Or(sign, hn::IfThenElse(hn::Gt(magnitude, whole(0x477FFFFF)), large, finite));
}

/// fromFp16 and fromBf16 of the lower 16 bits of each lane, the upper ones zero.
template <HalfType kType>
HWY_INLINE FloatPart fromHalves(IntPart halves) {
    if constexpr (kType == HalfType::Bf16) {
        return hn::BitCast(FloatTag(), hn::ShiftLeft<16>(halves));
    }
    const auto sign = hn::ShiftLeft<16>(hn::And(halves, whole(0x8000)));
    const auto shifted = hn::ShiftLeft<13>(hn::And(halves, whole(0x7FFF)));
    const auto isLarge = hn::Gt(shifted, whole(0x0F7FFFFF));
    const auto bias = hn::IfThenElse(isLarge, whole(0x70000000), whole(0x38000000));
    const auto raised = hn::BitCast(FloatTag(), hn::Add(shifted, whole(0x38800000)));
    const auto denormal = hn::BitCast(IntTag(), hn::Sub(raised, hn::Set(FloatTag(), 0x1p-14F)));
    const auto isDenormal = hn::Lt(shifted, whole(0x00800000));
    const auto magnitude = hn::IfThenElse(isDenormal, denormal, hn::Add(shifted, bias));
    return hn::BitCast(FloatTag(), hn::Or(sign, magnitude));
}

/// Eight elements of narrow().
template <HalfType kType>
HWY_INLINE void narrowEight(float* values, float ranks, float limit, std::uint16_t* halves) {
    for (std::size_t at = 0; at < kLanes; at += kFloatWidth) {
        const auto value = hn::LoadU(FloatTag(), values + at);
        const auto most = hn::Set(FloatTag(), limit);
        const auto held = hn::Max(hn::Neg(most), hn::Min(value, most));
        const auto share = toHalves<kType>(hn::Div(held, hn::Set(FloatTag(), ranks)));
        hn::StoreU(hn::DemoteTo(HalfTag(), share), HalfTag(), halves + at);
        const auto sent = hn::Mul(hn::Set(FloatTag(), ranks), fromHalves<kType>(share));
        hn::StoreU(hn::Sub(value, sent), FloatTag(), values + at);
    }
}

template <HalfType kType>
HWY_INLINE void widenEight(const std::uint16_t* halves, float* values) {
    for (std::size_t at = 0; at < kLanes; at += kFloatWidth) {
        const auto wide = hn::PromoteTo(IntTag(), hn::LoadU(HalfTag(), halves + at));
        hn::StoreU(fromHalves<kType>(wide), FloatTag(), values + at);
    }
}

template <HalfType kType>
void narrowAs(float* values, std::int64_t count, float ranks, float limit, std::uint16_t* halves) {
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        narrowEight<kType>(values + i, ranks, limit, halves + i);
    }
    if (i < count) {
        float rest[kLanes] = {};
        std::uint16_t narrow[kLanes];
        std::memcpy(rest, values + i, (count - i) * sizeof(float));
        narrowEight<kType>(rest, ranks, limit, narrow);
        std::memcpy(values + i, rest, (count - i) * sizeof(float));
        std::memcpy(halves + i, narrow, (count - i) * sizeof(std::uint16_t));
    }
}

template <HalfType kType>
void widenAs(const std::uint16_t* halves, std::int64_t count, float* values) {
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        widenEight<kType>(halves + i, values + i);
    }
    for (; i < count; ++i) {
        values[i] = fromHalf(kType, halves[i]);
    }
}

void narrowAll(float* values,
               std::int64_t count,
               HalfType type,
               float ranks,
               float limit,
               std::uint16_t* halves) {
    (type == HalfType::Fp16 ? narrowAs<HalfType::Fp16>
                            : narrowAs<HalfType::Bf16>)(values, count, ranks, limit, halves);
}

void widenAll(const std::uint16_t* halves, std::int64_t count, HalfType type, float* values) {
    (type == HalfType::Fp16 ? widenAs<HalfType::Fp16> : widenAs<HalfType::Bf16>)(halves, count,
                                                                                 values);
}

}  // namespace concertina::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace concertina::kernels {
HWY_EXPORT(narrowAll);
HWY_EXPORT(widenAll);

namespace cpu {

KernelStatus narrow(
    float* values, std::int64_t count, HalfType type, int ranks, std::uint16_t* halves, Stream) {
    HWY_DYNAMIC_DISPATCH(narrowAll)
    (values, count, type, static_cast<float>(ranks), largestSummand(type, ranks), halves);
    return {};
}

KernelStatus widen(
    const std::uint16_t* halves, std::int64_t count, HalfType type, float* values, Stream) {
    HWY_DYNAMIC_DISPATCH(widenAll)(halves, count, type, values);
    return {};
}

}  // namespace cpu
}  // namespace concertina::kernels
#endif
