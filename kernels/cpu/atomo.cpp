// SPDX-License-Identifier: Apache-2.0
#include "kernels/atomo.h"

#include "kernels/cpu/candidates.h"
#include "kernels/cpu/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/atomo.cpp"
#include "hwy/foreach_target.h"
#include "kernels/cpu/doubles-inl.h"
#include "kernels/cpu/philox-inl.h"
#include "kernels/cpu/select-inl.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "kernels/sparse_lists.h"

HWY_BEFORE_NAMESPACE();
namespace concertina::kernels::HWY_NAMESPACE {

/// Eight magnitudes: those above the clip are counted, the others added.
HWY_INLINE void addUpTo(Floats magnitudes, float clip, Doubles& below, std::int64_t& above) {
    const FloatTag tag;
    for (auto& part : magnitudes.part) {
        const auto isAbove = hn::Gt(part, hn::Set(tag, clip));
        above += static_cast<std::int64_t>(hn::CountTrue(tag, isAbove));
        part = hn::IfThenZeroElse(isAbove, part);
    }
    below = below + promote(magnitudes);
}

void sumUpToAll(const float* values, std::int64_t count, float clip, ClipSums& sums) {
    Doubles even = zeroDoubles();
    Doubles odd = zeroDoubles();
    std::int64_t above = 0;
    std::int64_t i = 0;
    for (; i + 2 * kLanes <= count; i += 2 * kLanes) {
        addUpTo(abs(load(values + i)), clip, even, above);
        addUpTo(abs(load(values + i + kLanes)), clip, odd, above);
    }
    Doubles* lanes = &even;
    for (; i < count; i += kLanes, lanes = &odd) {
        addUpTo(abs(loadSome(values + i, std::min(count - i, kLanes))), clip, *lanes, above);
    }
    sums = {sumOfLanes(even) + sumOfLanes(odd), above};
}

/// Whether each element it is asked for is drawn. A word is below a chance rounded up exactly when
/// it is below the chance itself.
class Drawn {
 public:
    Drawn(const float* values, double scale, const PhiloxStream& random)
        : values_(values), scale_(scale), random_(random), generator_(random) {}

    HWY_INLINE hn::Mask<FloatTag> lanes(std::int64_t at) {
        if (at % kDrawn == 0) {
            generator_.draw(at / kDrawn, words_);
        }
        // To signed and back as doubles: what AVX2 converts.
        const auto word = words_[at % kDrawn / static_cast<std::int64_t>(kFloatWidth)];
        const auto moved = hn::BitCast(SignedTag(), hn::Xor(word, hn::Set(BitsTag(), 1U << 31)));
        const auto magnitudes = hn::Abs(hn::LoadU(FloatTag(), values_ + at));
        std::uint8_t bits[8] = {};
        addBits<0>(moved, magnitudes, bits);
        if constexpr (kFloatWidth > kDoubleWidth) {
            addBits<1>(moved, magnitudes, bits);
        }
        return hn::LoadMaskBits(FloatTag(), bits);
    }
    bool one(std::int64_t at) const {
        return isDrawn(values_[at], scale_, random_.word(static_cast<std::uint64_t>(at)));
    }

 private:
    static constexpr std::int64_t kDrawn = 32;  // words at a time

    /// Of the lower or the upper half.
    template <int kHalf>
    HWY_INLINE void addBits(hn::Vec<SignedTag> moved,
                            hn::Vec<FloatTag> magnitudes,
                            std::uint8_t* bits) const {
        const DoubleTag wide;
        const auto words = hn::Add(promoteHalf<kHalf, std::int32_t>(moved), hn::Set(wide, 0x1p31));
        const auto chances = hn::Mul(promoteHalf<kHalf, float>(magnitudes), hn::Set(wide, scale_));
        std::uint8_t some[8] = {};
        hn::StoreMaskBits(wide, hn::Lt(words, chances), some);
        bits[0] = static_cast<std::uint8_t>(bits[0] | some[0] << (kHalf * kDoubleWidth));
    }

    template <int kHalf, typename T, typename Vector>
    static HWY_INLINE hn::Vec<DoubleTag> promoteHalf(Vector whole) {
#if HWY_TARGET == HWY_SCALAR
        return hn::PromoteTo(DoubleTag(), whole);
#else
        const hn::Rebind<T, DoubleTag> half;
        return hn::PromoteTo(DoubleTag(),
                             kHalf == 0 ? hn::LowerHalf(half, whole) : hn::UpperHalf(half, whole));
#endif
    }

    const float* values_;
    double scale_;
    PhiloxStream random_;
    PhiloxWords generator_;
    WordVector words_[kVectors];
};

void findDrawn(const float* values,
               std::int64_t count,
               double scale,
               const PhiloxStream& random,
               Candidates& found) {
    Drawn where(values, scale, random);
    for (std::int64_t begin = 0; begin < count; begin += kChunk) {
        appendWhere(values, begin, std::min(begin + kChunk, count), where, found);
    }
}

}  // namespace concertina::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace concertina::kernels {
HWY_EXPORT(sumUpToAll);
HWY_EXPORT(findDrawn);

namespace {

/// The largest float that is not above `value`: comparing floats with it is comparing them with
/// `value`.
float floatNotAbove(double value) {
    if (value >= std::numeric_limits<float>::max()) {
        return std::numeric_limits<float>::max();
    }
    const auto nearest = static_cast<float>(value);
    return nearest > value ? std::nextafter(nearest, 0.0F) : nearest;
}

}  // namespace

KernelStatus findDrawScale(const float* coefficients,
                           std::int64_t count,
                           const Norms& norms,
                           double budget,
                           double& scale,
                           Stream stream) {
    double clip = budget < static_cast<double>(count) ? norms.magnitudes / budget : 0;
    ClipSums sums;
    for (std::int64_t clipped = -1; norms.largest > clip && clip > 0 && clipped != sums.above;) {
        clipped = sums.above;
        const float limit = floatNotAbove(clip);
        if (KernelStatus status = sumUpTo(coefficients, count, limit, sums, stream); !status.ok) {
            return status;
        }
        const double left = budget - static_cast<double>(sums.above);
        if (left <= 0) {
            break;  // the last digit of the clip took one too many
        }
        clip = sums.below / left;
    }
    scale = kWholeChance / clip;
    return {};
}

KernelStatus cpu::sumUpTo(
    const float* values, std::int64_t count, float clip, ClipSums& sums, Stream) {
    HWY_DYNAMIC_DISPATCH(sumUpToAll)(values, count, clip, sums);
    return {};
}

KernelStatus cpu::drawEntries(float* values,
                              std::int64_t count,
                              double scale,
                              const PhiloxStream& random,
                              void* message,
                              std::int64_t& writtenBytes,
                              Stream) {
    Candidates found;
    HWY_DYNAMIC_DISPATCH(findDrawn)(values, count, scale, random, found);
    const auto drawn = static_cast<std::int64_t>(found.size);
    const bool isDense = drawn > 0 && goesDense(drawn, count);
    auto* words = static_cast<std::int32_t*>(message);
    if (isDense) {
        std::memset(message, 0, count * sizeof(float));
    } else {
        std::copy_n(found.indices.get(), drawn, words);
    }
    for (std::int64_t i = 0; i < drawn; ++i) {
        const std::int32_t index = found.indices[i];
        const float sent = drawnCoefficient(values[index], scale);
        std::memcpy(words + (isDense ? index : drawn + i), &sent, sizeof(sent));
        values[index] -= sent;
    }
    writtenBytes = isDense ? 4 * count : 8 * drawn;
    return {};
}

}  // namespace concertina::kernels
#endif
