// SPDX-License-Identifier: Apache-2.0
#include "kernels/variance.h"

#include "kernels/cpu/candidates.h"
#include "kernels/cpu/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/variance.cpp"
#include "hwy/foreach_target.h"
#include "kernels/cpu/select-inl.h"

#include <algorithm>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace concertina::kernels::HWY_NAMESPACE {

/// Grows, resets or decays the spread of each element that it is asked for.
struct Exceeds {
    const VarianceBuffers& b;

    HWY_INLINE hn::Mask<FloatTag> lanes(std::int64_t at) const {
        const FloatTag tag;
        const auto gradient = hn::LoadU(tag, b.gradient + at);
        const auto value = hn::LoadU(tag, b.values + at);
        const auto before = hn::LoadU(tag, b.spread + at);
        const auto sum = hn::Add(before, hn::Mul(gradient, gradient));
        const auto grown = hn::IfThenElse(hn::Le(sum, hn::Set(tag, FLT_MAX)), sum, before);
        const auto sent = hn::Gt(hn::Mul(value, value), hn::Mul(hn::Set(tag, b.alpha), grown));
        const auto decayed = hn::Mul(grown, hn::Set(tag, b.decay));
        hn::StoreU(hn::IfThenZeroElse(sent, decayed), tag, b.spread + at);
        return sent;
    }
    HWY_INLINE bool one(std::int64_t at) const {
        const float grown = grownSpread(b.spread[at], b.gradient[at]);
        const bool sent = b.values[at] * b.values[at] > b.alpha * grown;
        b.spread[at] = sent ? 0 : grown * b.decay;
        return sent;
    }
};

/// Ends early where it goes dense: then all of the spread becomes 0, whatever it would have been.
void findVariance(const VarianceBuffers& b, Candidates& found) {
    Exceeds where{b};
    const auto enough = static_cast<std::size_t>(b.count / 2 + 1);  // to go dense
    found.makeRoom(enough + 2 * kChunk);
    for (std::int64_t begin = 0; begin < b.count && found.size < enough; begin += kChunk) {
        appendWhere(b.values, begin, std::min(begin + kChunk, b.count), where, found);
    }
}

}  // namespace concertina::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernels/sparse_lists.h"

namespace concertina::kernels {
HWY_EXPORT(findVariance);

KernelStatus cpu::selectVariance(const VarianceBuffers& buffers,
                                 void* message,
                                 std::int64_t& writtenBytes,
                                 Stream) {
    Candidates found;
    HWY_DYNAMIC_DISPATCH(findVariance)(buffers, found);
    writtenBytes = moveOut(found, buffers.values, buffers.count, message);
    if (goesDense(static_cast<std::int64_t>(found.size), buffers.count)) {
        std::memset(buffers.spread, 0, buffers.count * sizeof(float));
    }
    return {};
}

}  // namespace concertina::kernels
#endif
