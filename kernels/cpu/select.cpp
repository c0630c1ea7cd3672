// SPDX-License-Identifier: Apache-2.0
#include "kernels/select.h"

#include "kernels/cpu/candidates.h"
#include "kernels/cpu/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/select.cpp"
#include "hwy/foreach_target.h"
#include "kernels/cpu/select-inl.h"

#include <algorithm>
#include <cstring>

#include "kernels/sparse_lists.h"
#include "kernels/topk_threshold.h"

HWY_BEFORE_NAMESPACE();
namespace concertina::kernels::HWY_NAMESPACE {

/// |x| has at least a given pattern. Patterns stay below 2^31, so that the signed comparison, which
/// AVX2 has, is right.
struct Above {
    const float* values;
    std::uint32_t least;

    HWY_INLINE hn::Mask<FloatTag> lanes(std::int64_t at) const {
        const SignedTag tag;
        const auto pattern =
            hn::And(hn::BitCast(tag, hn::LoadU(FloatTag(), values + at)), hn::Set(tag, 0x7FFFFFFF));
        const auto below = hn::Set(tag, static_cast<std::int32_t>(least) - 1);
        return hn::RebindMask(FloatTag(), hn::Gt(pattern, below));
    }
    HWY_INLINE bool one(std::int64_t at) const { return magnitudeBits(values[at]) >= least; }
};

void appendAbove(const float* values,
                 std::int64_t count,
                 std::uint32_t least,
                 std::size_t enough,
                 Candidates& found) {
    Above where{values, least};
    for (std::int64_t begin = 0; begin < count && found.size < enough; begin += kChunk) {
        appendWhere(values, begin, std::min(begin + kChunk, count), where, found);
    }
}

std::int64_t countLanes(const float* values, std::int64_t count, std::uint32_t least) {
    const Above where{values, least};
    constexpr auto kWidth = static_cast<std::int64_t>(kFloatWidth);
    std::int64_t found = 0;
    std::int64_t i = 0;
    for (; i + kWidth <= count; i += kWidth) {
        found += static_cast<std::int64_t>(hn::CountTrue(FloatTag(), where.lanes(i)));
    }
    for (; i < count; ++i) {
        found += where.one(i) ? 1 : 0;
    }
    return found;
}

}  // namespace concertina::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace concertina::kernels {
HWY_EXPORT(appendAbove);
HWY_EXPORT(countLanes);

namespace {

/// The pattern from which on an entry is moved: zeros never are.
std::uint32_t patternOf(float least) { return std::max(magnitudeBits(least), std::uint32_t{1}); }

}  // namespace

void findAbove(const float* values, std::int64_t count, std::uint32_t least, Candidates& found) {
    HWY_DYNAMIC_DISPATCH(appendAbove)(values, count, least, SIZE_MAX, found);
}

std::int64_t moveOut(const Candidates& found, float* values, std::int64_t count, void* message) {
    const auto kept = static_cast<std::int64_t>(found.size);
    if (goesDense(kept, count)) {
        std::memcpy(message, values, count * sizeof(float));
        std::memset(values, 0, count * sizeof(float));
        return 4 * count;
    }
    auto* words = static_cast<std::int32_t*>(message);
    std::copy_n(found.indices.get(), kept, words);
    std::copy_n(found.bits.get(), kept, words + kept);
    for (std::int64_t i = 0; i < kept; ++i) {
        values[found.indices[i]] = 0;
    }
    return 8 * kept;
}

KernelStatus cpu::selectAbove(float* values,
                              std::int64_t count,
                              float least,
                              void* message,
                              std::int64_t& writtenBytes,
                              Stream) {
    Candidates found;
    const auto enough = static_cast<std::size_t>(count / 2 + 1);  // to go dense
    found.makeRoom(enough + 2 * kChunk);
    HWY_DYNAMIC_DISPATCH(appendAbove)(values, count, patternOf(least), enough, found);
    writtenBytes = moveOut(found, values, count, message);
    return {};
}

KernelStatus cpu::countAbove(
    const float* values, std::int64_t count, float least, std::int64_t& found, Stream) {
    found = HWY_DYNAMIC_DISPATCH(countLanes)(values, count, patternOf(least));
    return {};
}

KernelStatus cpu::sampleOneIn(const float* values,
                              std::int64_t stride,
                              std::int64_t samples,
                              const PhiloxStream& random,
                              float* sample,
                              Stream) {
    for (std::int64_t i = 0; i < samples; i += 4) {
        const PhiloxBlock block = random.block(static_cast<std::uint32_t>(i / 4));
        for (std::int64_t j = i; j < std::min(i + 4, samples); ++j) {
            sample[j] = values[sampledElement(j, stride, block.word[j - i])];
        }
    }
    return {};
}

}  // namespace concertina::kernels
#endif
