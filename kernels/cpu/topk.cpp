// SPDX-License-Identifier: Apache-2.0
#include "kernels/topk.h"

#include "kernels/cpu/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/topk.cpp"
#include "hwy/foreach_target.h"
#include "kernels/cpu/lanes-inl.h"

#include <array>
#include <cstring>

#include "kernels/topk_threshold.h"

HWY_BEFORE_NAMESPACE();
namespace concertina::kernels::HWY_NAMESPACE {

/// Bit patterns of |x| at `from`, and whether any lies in [first, last]. Patterns stay below 2^31,
/// so that the signed comparison, which AVX2 has, is right.
HWY_INLINE bool magnitudesIn(const float* from,
                             std::int32_t first,
                             std::int32_t last,
                             std::int32_t* bits) {
    const hn::RebindToSigned<FloatTag> tag;
    const auto magnitude = hn::Set(tag, 0x7FFFFFFF);
    bool any = false;
    for (std::size_t i = 0; i < Floats::kParts; ++i) {
        const auto raw = hn::BitCast(tag, hn::LoadU(FloatTag(), from + i * kFloatWidth));
        const auto pattern = hn::And(raw, magnitude);
        const auto inside = hn::AndNot(hn::Gt(pattern, hn::Set(tag, last)),
                                       hn::Gt(pattern, hn::Set(tag, first - 1)));
        any = any || !hn::AllFalse(tag, inside);
        hn::StoreU(pattern, tag, bits + i * kFloatWidth);
    }
    return any;
}

/// Counts eight elements each `stride`: 8 for all of them, more for a sample. Whole blocks of eight
/// are looked at first: beyond the sampled floor nearly all of them hold nothing to count.
void countPatterns(const float* values,
                   std::int64_t count,
                   std::int64_t stride,
                   const PatternRange& range,
                   std::uint32_t* histogram) {
    const auto first = static_cast<std::int32_t>(range.first);
    const auto last = static_cast<std::int32_t>(range.last);
    std::int32_t bits[kLanes];
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += stride) {
        if (!magnitudesIn(values + i, first, last, bits)) {
            continue;
        }
        for (const std::int32_t pattern : bits) {
            if (pattern >= first && pattern <= last) {
                ++histogram[binOf(range, pattern)];
            }
        }
    }
    for (; i < count; ++i) {
        const std::uint32_t pattern = magnitudeBits(values[i]);
        if (pattern >= range.first && pattern <= range.last) {
            ++histogram[binOf(range, pattern)];
        }
    }
}

/// What is left to do of a selection, and where its next element goes.
struct Move {
    Threshold threshold;
    std::int32_t* nextIndex;
    float* nextValue;
};

HWY_INLINE void moveIfSelected(float* values, std::int64_t i, Move& move) {
    const std::uint32_t pattern = magnitudeBits(values[i]);
    if (pattern < move.threshold.bits) {
        return;
    }
    if (pattern == move.threshold.bits && move.threshold.equalKept-- <= 0) {
        return;
    }
    *move.nextIndex++ = static_cast<std::int32_t>(i);
    *move.nextValue++ = values[i];
    values[i] = 0;
}

void moveSelected(
    float* values, std::int64_t count, Threshold threshold, std::int32_t* indices, float* moved) {
    Move move{threshold, indices, moved};
    const auto first = static_cast<std::int32_t>(threshold.bits);
    std::int32_t bits[kLanes];
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        if (magnitudesIn(values + i, first, 0x7FFFFFFF, bits)) {
            for (std::int64_t j = i; j < i + kLanes; ++j) {
                moveIfSelected(values, j, move);
            }
        }
    }
    for (; i < count; ++i) {
        moveIfSelected(values, i, move);
    }
}

}  // namespace concertina::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace concertina::kernels {
HWY_EXPORT(countPatterns);
HWY_EXPORT(moveSelected);

namespace {

using Histogram = std::array<std::uint32_t, kMostBins>;

constexpr std::int64_t kSampleStride = 512;
constexpr std::int64_t kSampleFrom = 1 << 16;

Histogram countAll(const float* values, std::int64_t count, const PatternRange& range) {
    Histogram histogram{};
    HWY_DYNAMIC_DISPATCH(countPatterns)(values, count, 8, range, histogram.data());
    return histogram;
}

/// A pattern that, by a sample of 1 in 64, about 1.5 times `kept` elements reach: counting starts
/// there. Too high a guess costs a second count and nothing else.
std::uint32_t sampledFloor(const float* values, std::int64_t count, std::int64_t kept) {
    if (count < kSampleFrom) {
        return 0;
    }
    Histogram histogram{};
    const PatternRange all = firstRange();
    HWY_DYNAMIC_DISPATCH(countPatterns)(values, count, kSampleStride, all, histogram.data());
    const std::int64_t wanted = kept * 8 / kSampleStride * 3 / 2 + 64;
    return findBin(histogram.data(), all, wanted).range.first;
}

Threshold findThreshold(const float* values, std::int64_t count, std::int64_t kept) {
    PatternRange range = firstRange();
    range.first = sampledFloor(values, count, kept);
    FoundBin bin = findBin(countAll(values, count, range).data(), range, kept);
    if (bin.stillWanted > bin.count) {
        range.first = 0;
        bin = findBin(countAll(values, count, range).data(), range, kept);
    }
    while (bin.range.first != bin.range.last) {
        bin = findBin(countAll(values, count, bin.range).data(), bin.range, bin.stillWanted);
    }
    return {bin.range.first, bin.stillWanted};
}

}  // namespace

KernelStatus cpu::selectTopk(float* values,
                             std::int64_t count,
                             std::int64_t kept,
                             std::int32_t* keptIndices,
                             float* keptValues,
                             Stream) {
    if (kept > 0) {
        const Threshold threshold = findThreshold(values, count, kept);
        HWY_DYNAMIC_DISPATCH(moveSelected)(values, count, threshold, keptIndices, keptValues);
    }
    return {};
}

KernelStatus cpu::scatterMean(const SparseLists& lists, float* mean, std::int64_t count, Stream) {
    std::memset(mean, 0, count * sizeof(float));
    const auto ranks = static_cast<float>(lists.lists);
    for (int list = 0; list < lists.lists; ++list) {
        const char* start = static_cast<const char*>(lists.first) + list * lists.strideBytes;
        const auto* indices = reinterpret_cast<const std::int32_t*>(start);
        const auto* values = reinterpret_cast<const float*>(indices + lists.kept);
        for (std::int64_t i = 0; i < lists.kept; ++i) {
            if (indices[i] < 0 || indices[i] >= count) {
                return {false, indexOutOfRange(list, i, indices[i], count)};
            }
            mean[indices[i]] += values[i] / ranks;
        }
    }
    return {};
}

}  // namespace concertina::kernels
#endif
