// SPDX-License-Identifier: Apache-2.0
// The arithmetic of kernels/dither_element.h for a vector of elements. Included by
// kernels/cpu/*.cpp once per target.
#if defined(CONCERTINA_KERNELS_DITHER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CONCERTINA_KERNELS_DITHER_INL_H_
#undef CONCERTINA_KERNELS_DITHER_INL_H_
#else
#define CONCERTINA_KERNELS_DITHER_INL_H_
#endif

#include "kernels/cpu/philox-inl.h"
#include "kernels/dither_element.h"

HWY_BEFORE_NAMESPACE();
namespace concertina::kernels::HWY_NAMESPACE {

using SignedTag = hn::RebindToSigned<FloatTag>;

/// Each function is the one of dither_element.h that says why.
template <Spacing kSpacing>
class Levels {
 public:
    explicit Levels(const DitherFormat& format)
        : bits_(format.bits),
          fixed_(hn::Set(FloatTag(), levelsTimesFraction(format))),
          step_(hn::Set(FloatTag(), 1.0F / static_cast<float>(format.unitLevel))),
          largest_(hn::Set(SignedTag(), format.largestLevel)) {
        if (kSpacing == Spacing::Halving) {
            lowest_ = hn::Set(FloatTag(), powerOfTwo(1 - format.unitLevel));
            exponentOfZero_ =
                hn::Set(BitsTag(), static_cast<std::uint32_t>(127 - format.unitLevel));
        }
    }

    HWY_INLINE WordVector levels(FloatVector x, WordVector words) const {
        const BitsTag tag;
        if (kSpacing == Spacing::Equal) {
            const auto fixed = hn::BitCast(tag, hn::ConvertTo(SignedTag(), hn::Mul(x, fixed_)));
            return hn::ShiftRightSame(hn::Add(fixed, hn::ShiftRightSame(words, bits_)), 32 - bits_);
        }
        const auto isBelow = hn::Lt(x, lowest_);
        const auto raised = hn::Add(x, hn::IfThenElseZero(isBelow, lowest_));
        const auto exponent =
            hn::ShiftRight<23>(hn::Add(hn::BitCast(tag, raised), hn::ShiftRight<9>(words)));
        const auto minusOne = hn::BitCast(tag, hn::VecFromMask(FloatTag(), isBelow));
        const auto level = hn::Add(hn::Sub(exponent, exponentOfZero_), minusOne);
        return hn::BitCast(tag, hn::Min(hn::BitCast(SignedTag(), level), largest_));
    }

    HWY_INLINE FloatVector magnitudes(WordVector levels, FloatVector scale) const {
        if (kSpacing == Spacing::Equal) {
            const auto steps = hn::ConvertTo(FloatTag(), hn::BitCast(SignedTag(), levels));
            return hn::Mul(hn::Mul(steps, step_), scale);
        }
        const BitsTag tag;
        const auto power = hn::ShiftLeft<23>(hn::Add(levels, exponentOfZero_));
        const auto isZero = hn::Eq(levels, hn::Zero(tag));
        return hn::Mul(hn::BitCast(FloatTag(), hn::IfThenZeroElse(isZero, power)), scale);
    }

    /// All bits set where a level is above the largest.
    HWY_INLINE WordVector tooLarge(WordVector levels) const {
        const auto larger = hn::Gt(hn::BitCast(SignedTag(), levels), largest_);
        return hn::BitCast(BitsTag(), hn::VecFromMask(SignedTag(), larger));
    }

 private:
    int bits_;
    FloatVector fixed_, step_;
    hn::Vec<SignedTag> largest_;
    FloatVector lowest_ = hn::Zero(FloatTag());
    WordVector exponentOfZero_ = hn::Zero(BitsTag());
};

}  // namespace concertina::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
