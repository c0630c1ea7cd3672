// SPDX-License-Identifier: Apache-2.0
#include "kernels/topk.h"

#include "kernels/cpu/candidates.h"
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

/// Appends the elements in [begin, begin + kLanes) whose |x| has at least the pattern `least`; may
/// write eight places. Patterns stay below 2^31, so that the signed comparison, which AVX2 has, is
/// right.
HWY_INLINE void appendEight(const float* values,
                            std::int64_t begin,
                            std::int32_t least,
                            Candidates& found) {
    const hn::RebindToSigned<FloatTag> tag;
    const auto magnitude = hn::Set(tag, 0x7FFFFFFF);
    for (std::size_t i = 0; i < Floats::kParts; ++i) {
        const std::int64_t at = begin + static_cast<std::int64_t>(i * kFloatWidth);
        const auto raw = hn::BitCast(tag, hn::LoadU(FloatTag(), values + at));
        const auto wanted = hn::Gt(hn::And(raw, magnitude), hn::Set(tag, least - 1));
        if (!hn::AllFalse(tag, wanted)) {  // of nearly all blocks: then spare the shuffles
            const auto indices = hn::Iota(tag, static_cast<std::int32_t>(at));
            hn::CompressStore(raw, wanted, tag, found.bits.data() + found.size);
            found.size +=
                hn::CompressStore(indices, wanted, tag, found.indices.data() + found.size);
        }
    }
}

void findFrom(const float* values, std::int64_t count, std::uint32_t least, Candidates& found) {
    const auto signedLeast = static_cast<std::int32_t>(least);
    found.size = 0;
    for (std::int64_t begin = 0; begin < count; begin += kChunk) {
        const std::int64_t end = begin + kChunk < count ? begin + kChunk : count;
        found.makeRoom(kChunk + kLanes);
        std::int64_t i = begin;
        for (; i + kLanes <= end; i += kLanes) {
            appendEight(values, i, signedLeast, found);
        }
        for (; i < end; ++i) {
            if (magnitudeBits(values[i]) >= least) {
                std::memcpy(&found.bits[found.size], values + i, sizeof(float));
                found.indices[found.size++] = static_cast<std::int32_t>(i);
            }
        }
    }
}

}  // namespace concertina::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace concertina::kernels {
HWY_EXPORT(findFrom);

namespace {

using Histogram = std::array<std::uint32_t, kMostBins>;

constexpr std::uint32_t kMagnitude = 0x7FFFFFFF;

constexpr std::int64_t kSampleStride = 512;
constexpr std::int64_t kSampleRun = 8;  // neighbours looked at each stride: what a cache line has
constexpr std::int64_t kSampleFrom = 1 << 16;

/// A pattern that, by a sample of 1 in 64, about 1.5 times `kept` elements reach.
std::uint32_t sampledFloor(const float* values, std::int64_t count, std::int64_t kept) {
    if (count < kSampleFrom) {
        return 0;
    }
    Histogram histogram{};
    const PatternRange all = firstRange();
    for (std::int64_t i = 0; i + kSampleRun <= count; i += kSampleStride) {
        for (std::int64_t j = i; j < i + kSampleRun; ++j) {
            ++histogram[binOf(all, magnitudeBits(values[j]))];
        }
    }
    const std::int64_t wanted = kept * kSampleRun / kSampleStride * 3 / 2 + 64;
    return findBin(histogram.data(), all, wanted).range.first;
}

/// The elements that can be among the `kept` largest: found in one pass over memory, so that all
/// the rest looks at these few. Too high a guess costs a second pass and nothing else.
Candidates candidatesOf(const float* values, std::int64_t count, std::int64_t kept) {
    Candidates candidates;
    const std::uint32_t least = sampledFloor(values, count, kept);
    HWY_DYNAMIC_DISPATCH(findFrom)(values, count, least, candidates);
    if (candidates.size < static_cast<std::size_t>(kept)) {
        HWY_DYNAMIC_DISPATCH(findFrom)(values, count, 0, candidates);
    }
    return candidates;
}

Threshold findThreshold(const Candidates& candidates, std::int64_t kept) {
    FoundBin bin{firstRange(), kept};
    while (bin.range.first != bin.range.last) {
        Histogram histogram{};
        for (std::size_t i = 0; i < candidates.size; ++i) {
            const std::uint32_t pattern = candidates.bits[i] & kMagnitude;
            if (pattern >= bin.range.first && pattern <= bin.range.last) {
                ++histogram[binOf(bin.range, pattern)];
            }
        }
        bin = findBin(histogram.data(), bin.range, bin.stillWanted);
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
    if (kept == 0) {
        return {};
    }
    const Candidates candidates = candidatesOf(values, count, kept);
    Threshold threshold = findThreshold(candidates, kept);
    for (std::size_t i = 0; i < candidates.size; ++i) {
        const std::uint32_t pattern = candidates.bits[i] & kMagnitude;
        const bool isEqual = pattern == threshold.bits;
        if (pattern > threshold.bits || (isEqual && threshold.equalKept-- > 0)) {
            const std::int32_t index = candidates.indices[i];
            *keptIndices++ = index;
            std::memcpy(keptValues++, &candidates.bits[i], sizeof(float));
            values[index] = 0;
        }
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
