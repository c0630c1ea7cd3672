// SPDX-License-Identifier: Apache-2.0
#include "kernels/topk.h"

#include <array>
#include <cmath>
#include <cstring>
#include <memory>
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

/// The `wanted`-th largest of the magnitudes whose bits these are; 0 where there are fewer.
Threshold findThreshold(const std::int32_t* bits, std::size_t size, std::int64_t wanted) {
    FoundBin bin{firstRange(), wanted};
    std::unique_ptr<std::int32_t[]> inside;
    while (bin.range.first != bin.range.last) {
        Histogram histogram{};
        for (std::size_t i = 0; i < size; ++i) {
            ++histogram[binOf(bin.range, bits[i] & kMagnitude)];
        }
        bin = findBin(histogram.data(), bin.range, bin.stillWanted);
        // The next round looks at those of the bin only, put side by side without branches.
        if (!inside) {
            inside = std::make_unique_for_overwrite<std::int32_t[]>(size + 1);
        }
        std::size_t found = 0;
        for (std::size_t i = 0; i < size; ++i) {
            const std::uint32_t pattern = bits[i] & kMagnitude;
            inside[found] = bits[i];
            found += (pattern >= bin.range.first) & (pattern <= bin.range.last);
        }
        bits = inside.get();
        size = found;
    }
    return {bin.range.first, bin.stillWanted};
}

/// A pattern that, by a sample of 1 in 64, `wanted` elements reach, and more than these for the
/// sample's sake: by five of its standard deviations, were all neighbours alike.
std::uint32_t sampledFloor(const std::vector<MagnitudePart>& parts,
                           std::int64_t count,
                           std::int64_t wanted) {
    if (count < kSampleFrom) {
        return 0;
    }
    std::vector<std::int32_t> sample(count / kSampleStride * kSampleRun +
                                     parts.size() * kSampleRun);
    std::size_t size = 0;
    for (const MagnitudePart& part : parts) {
        for (std::int64_t i = 0; i + kSampleRun <= part.count; i += kSampleStride) {
            std::memcpy(&sample[size], part.values + i, kSampleRun * sizeof(float));
            size += kSampleRun;
        }
    }
    const double sampled = static_cast<double>(wanted * kSampleRun) / kSampleStride;
    const double more = 5 * std::sqrt(kSampleRun * sampled) + 64;
    return findThreshold(sample.data(), size, static_cast<std::int64_t>(sampled + more)).bits;
}

Candidates findAbove(const std::vector<MagnitudePart>& parts,
                     std::uint32_t least,
                     std::int64_t expected,
                     bool withIndices) {
    Candidates found(withIndices);
    found.makeRoom(static_cast<std::size_t>(expected + kChunk));
    for (const MagnitudePart& part : parts) {
        kernels::findAbove(part.values, part.count, least, found);
    }
    return found;
}

/// The elements that can be among the `wanted` largest: found in one pass over memory, so that all
/// the rest looks at these few. Too high a guess costs a second pass and nothing else.
Candidates candidatesOf(const std::vector<MagnitudePart>& parts,
                        std::int64_t wanted,
                        bool withIndices) {
    std::int64_t count = 0;
    for (const MagnitudePart& part : parts) {
        count += part.count;
    }
    Candidates found =
        findAbove(parts, sampledFloor(parts, count, wanted), 2 * wanted, withIndices);
    return found.size < static_cast<std::size_t>(wanted) ? findAbove(parts, 0, count, withIndices)
                                                         : std::move(found);
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
    const Candidates candidates = candidatesOf({{values, count}}, kept, true);
    const Threshold threshold = findThreshold(candidates.bits.get(), candidates.size, kept);
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
    const Candidates candidates = candidatesOf({parts, parts + partCount}, wanted, false);
    const std::uint32_t bits = findThreshold(candidates.bits.get(), candidates.size, wanted).bits;
    std::memcpy(&magnitude, &bits, sizeof(magnitude));
    return {};
}

}  // namespace concertina::kernels
