// SPDX-License-Identifier: Apache-2.0
#include "kernels/adacomp.h"

#include "kernels/cpu/candidates.h"
#include "kernels/cpu/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/adacomp.cpp"
#include "hwy/foreach_target.h"
#include "kernels/cpu/select-inl.h"

#include <algorithm>
#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace concertina::kernels::HWY_NAMESPACE {

float largestMagnitude(const float* values, std::int64_t count) {
    constexpr auto kWidth = static_cast<std::int64_t>(kFloatWidth);
    auto lanes = hn::Zero(FloatTag());
    std::int64_t i = 0;
    for (; i + kWidth <= count; i += kWidth) {
        lanes = hn::Max(lanes, hn::Abs(hn::LoadU(FloatTag(), values + i)));
    }
    float largest = hn::GetLane(hn::MaxOfLanes(FloatTag(), lanes));
    for (; i < count; ++i) {
        largest = std::max(largest, std::abs(values[i]));
    }
    return largest;
}

/// Reaches the largest magnitude of a bin together with its gradient, and is not zero.
struct ReachesLargest {
    const float* values;
    const float* gradient;
    float largest;

    HWY_INLINE hn::Mask<FloatTag> lanes(std::int64_t at) const {
        const FloatTag tag;
        const auto value = hn::LoadU(tag, values + at);
        const auto moved = hn::Abs(hn::Add(value, hn::LoadU(tag, gradient + at)));
        return hn::And(hn::Ge(moved, hn::Set(tag, largest)), hn::Ne(value, hn::Zero(tag)));
    }
    HWY_INLINE bool one(std::int64_t at) const {
        return std::abs(values[at] + gradient[at]) >= largest && values[at] != 0;
    }
};

void findAdacomp(const AdacompBuffers& b, Candidates& found) {
    const auto enough = static_cast<std::size_t>(b.count / 2 + 1);  // to go dense
    found.makeRoom(enough + kChunk);
    for (std::int64_t begin = 0; begin < b.count && found.size < enough; begin += b.bin) {
        const std::int64_t end = std::min(begin + b.bin, b.count);
        const float largest = largestMagnitude(b.values + begin, end - begin);
        ReachesLargest where{b.values, b.gradient, largest};
        appendWhere(b.values, begin, end, where, found);
    }
}

}  // namespace concertina::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace concertina::kernels {
HWY_EXPORT(findAdacomp);

KernelStatus cpu::selectAdacomp(const AdacompBuffers& buffers,
                                void* message,
                                std::int64_t& writtenBytes,
                                Stream) {
    Candidates found;
    HWY_DYNAMIC_DISPATCH(findAdacomp)(buffers, found);
    writtenBytes = moveOut(found, buffers.values, buffers.count, message);
    return {};
}

}  // namespace concertina::kernels
#endif
