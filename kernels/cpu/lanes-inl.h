// SPDX-License-Identifier: Apache-2.0
// Eight floats as one value on every instruction set (one 256-bit vector, two of 128 bits, ...), so
// that a sum takes the same order, and gives the same bits, on all of them.
// Products and sums are separate: a fused multiply-add rounds once where a machine without it
// rounds twice. Included by kernels/cpu/*.cpp once per target.
#if defined(CONCERTINA_KERNELS_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CONCERTINA_KERNELS_LANES_INL_H_
#undef CONCERTINA_KERNELS_LANES_INL_H_
#else
#define CONCERTINA_KERNELS_LANES_INL_H_
#endif

#include <cstdint>
#include <cstring>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace concertina::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::int64_t kLanes = 8;

using FloatTag = hn::CappedTag<float, kLanes>;
using BitsTag = hn::RebindToUnsigned<FloatTag>;
constexpr std::size_t kFloatWidth = hn::MaxLanes(FloatTag());

struct Floats {
    static constexpr std::size_t kParts = kLanes / kFloatWidth;
    hn::Vec<FloatTag> part[kParts];
};

HWY_INLINE Floats load(const float* from) {
    Floats result;
    for (std::size_t i = 0; i < Floats::kParts; ++i) {
        result.part[i] = hn::LoadU(FloatTag(), from + i * kFloatWidth);
    }
    return result;
}

/// The `count` < 8 floats at `from`, then zeros.
HWY_INLINE Floats loadSome(const float* from, std::int64_t count) {
    float padded[kLanes] = {};
    std::memcpy(padded, from, count * sizeof(float));
    return load(padded);
}

HWY_INLINE void store(Floats values, float* to) {
    for (std::size_t i = 0; i < Floats::kParts; ++i) {
        hn::StoreU(values.part[i], FloatTag(), to + i * kFloatWidth);
    }
}

HWY_INLINE void storeSome(Floats values, float* to, std::int64_t count) {
    float padded[kLanes];
    store(values, padded);
    std::memcpy(to, padded, count * sizeof(float));
}

HWY_INLINE Floats broadcast(float value) {
    Floats result;
    for (auto& part : result.part) {
        part = hn::Set(FloatTag(), value);
    }
    return result;
}

HWY_INLINE Floats operator+(Floats a, Floats b) {
    for (std::size_t i = 0; i < Floats::kParts; ++i) {
        a.part[i] = hn::Add(a.part[i], b.part[i]);
    }
    return a;
}

HWY_INLINE Floats operator-(Floats a, Floats b) {
    for (std::size_t i = 0; i < Floats::kParts; ++i) {
        a.part[i] = hn::Sub(a.part[i], b.part[i]);
    }
    return a;
}

HWY_INLINE Floats operator*(Floats a, Floats b) {
    for (std::size_t i = 0; i < Floats::kParts; ++i) {
        a.part[i] = hn::Mul(a.part[i], b.part[i]);
    }
    return a;
}

HWY_INLINE Floats operator/(Floats a, Floats b) {
    for (std::size_t i = 0; i < Floats::kParts; ++i) {
        a.part[i] = hn::Div(a.part[i], b.part[i]);
    }
    return a;
}

HWY_INLINE Floats abs(Floats values) {
    for (auto& part : values.part) {
        part = hn::Abs(part);
    }
    return values;
}

HWY_INLINE Floats max(Floats a, Floats b) {
    for (std::size_t i = 0; i < Floats::kParts; ++i) {
        a.part[i] = hn::Max(a.part[i], b.part[i]);
    }
    return a;
}

HWY_INLINE float largestOfLanes(Floats values) {
    float lane[kLanes];
    store(values, lane);
    float largest = lane[0];
    for (int i = 1; i < kLanes; ++i) {
        largest = lane[i] > largest ? lane[i] : largest;
    }
    return largest;
}

/// Lane 0, then lane 1 added, ... lane 7.
HWY_INLINE float sumOfLanes(Floats values) {
    float lane[kLanes];
    store(values, lane);
    float sum = lane[0];
    for (int i = 1; i < kLanes; ++i) {
        sum += lane[i];
    }
    return sum;
}

}  // namespace concertina::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
