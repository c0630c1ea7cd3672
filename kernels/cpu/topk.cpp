// SPDX-License-Identifier: Apache-2.0
#include "kernels/topk.h"

#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "kernels/cpu/candidates.h"
#include "kernels/topk_threshold.h"

namespace concertina::kernels {
namespace {

using Histogram = std::array<std::uint32_t, kMostBins>;

constexpr std::uint32_t kMagnitude = 0x7FFFFFFF;

constexpr std::int64_t kSampleStride = 512;
constexpr std::int64_t kSampleRun = 8;  // neighbours looked at each stride: what a cache line has
constexpr std::int64_t kSampleFrom = 1 << 16;

/// A pattern that, by a sample of 1 in 64, about 1.5 times `wanted` elements reach.
std::uint32_t sampledFloor(const std::vector<MagnitudePart>& parts,
                           std::int64_t count,
                           std::int64_t wanted) {
    if (count < kSampleFrom) {
        return 0;
    }
    Histogram histogram{};
    const PatternRange all = firstRange();
    for (const MagnitudePart& part : parts) {
        for (std::int64_t i = 0; i + kSampleRun <= part.count; i += kSampleStride) {
            for (std::int64_t j = i; j < i + kSampleRun; ++j) {
                ++histogram[binOf(all, magnitudeBits(part.values[j]))];
            }
        }
    }
    const std::int64_t sampled = wanted * kSampleRun / kSampleStride * 3 / 2 + 64;
    return findBin(histogram.data(), all, sampled).range.first;
}

Candidates findAbove(const std::vector<MagnitudePart>& parts,
                     std::uint32_t least,
                     std::int64_t expected) {
    Candidates found;
    found.makeRoom(static_cast<std::size_t>(expected + kChunk));
    for (const MagnitudePart& part : parts) {
        kernels::findAbove(part.values, part.count, least, found);
    }
    return found;
}

/// The elements that can be among the `wanted` largest: found in one pass over memory, so that all
/// the rest looks at these few. Too high a guess costs a second pass and nothing else.
Candidates candidatesOf(const std::vector<MagnitudePart>& parts, std::int64_t wanted) {
    std::int64_t count = 0;
    for (const MagnitudePart& part : parts) {
        count += part.count;
    }
    Candidates found = findAbove(parts, sampledFloor(parts, count, wanted), 2 * wanted);
    return found.size < static_cast<std::size_t>(wanted) ? findAbove(parts, 0, count)
                                                         : std::move(found);
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
    const Candidates candidates = candidatesOf({{values, count}}, kept);
    const Threshold threshold = findThreshold(candidates, kept);
    std::int64_t equalLeft = threshold.equalKept;
    std::int64_t place = 0;
    // Without branches: which of the candidates are kept is hard to predict.
    for (std::size_t i = 0; place < kept; ++i) {
        const std::uint32_t pattern = candidates.bits[i] & kMagnitude;
        const bool isEqual = pattern == threshold.bits;
        const bool isKept = (pattern > threshold.bits) | (isEqual & (equalLeft > 0));
        equalLeft -= isEqual ? 1 : 0;
        const std::int32_t index = candidates.indices[i];
        const std::int32_t left = isKept ? 0 : candidates.bits[i];
        keptIndices[place] = index;
        std::memcpy(&keptValues[place], &candidates.bits[i], sizeof(float));
        std::memcpy(&values[index], &left, sizeof(float));
        place += isKept ? 1 : 0;
    }
    return {};
}

KernelStatus cpu::findMagnitude(
    const MagnitudePart* parts, int partCount, std::int64_t wanted, float& magnitude, Stream) {
    const Candidates candidates = candidatesOf({parts, parts + partCount}, wanted);
    const std::uint32_t bits = findThreshold(candidates, wanted).bits;
    std::memcpy(&magnitude, &bits, sizeof(magnitude));
    return {};
}

}  // namespace concertina::kernels
