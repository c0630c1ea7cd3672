// SPDX-License-Identifier: Apache-2.0
// How TopK narrows down the k-th magnitude, shared by the CPU and CUDA versions: a range of bit
// patterns is cut into bins, the bin with the k-th largest pattern is the next range, until it is a
// single pattern. Pure; any thread.
#pragma once
#include <cstdint>
#include <cstring>

#include "kernels/host_device.h"

namespace concertina::kernels {

constexpr int kMostBins = 2048;

/// Patterns first..last, all alike above bit `shift + 11`; a bin is the patterns alike above bit
/// `shift`.
struct PatternRange {
    std::uint32_t first, last;
    int shift;
};

/// The k-th largest magnitude and how many of the elements that equal it belong to the k.
struct Threshold {
    std::uint32_t bits;
    std::int64_t equalKept;
};

CONCERTINA_HD inline PatternRange firstRange() { return {0, 0x7FFFFFFF, 20}; }

CONCERTINA_HD inline std::uint32_t magnitudeBits(float value) {
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    return bits & 0x7FFFFFFFU;
}

CONCERTINA_HD inline std::uint32_t binOf(const PatternRange& range, std::uint32_t pattern) {
    return (pattern >> range.shift) & (kMostBins - 1);
}

struct FoundBin {
    PatternRange range;        // of the bin, with the shift for counting inside it
    std::int64_t stillWanted;  // of this bin
};

/// The bin that holds the `wanted`-th largest counted pattern; the lowest one where there are
/// fewer.
CONCERTINA_HD inline FoundBin findBin(const std::uint32_t* histogram,
                                      const PatternRange& range,
                                      std::int64_t wanted) {
    const std::uint32_t lowest = binOf(range, range.first);
    std::uint32_t bin = binOf(range, range.last);
    while (bin > lowest && wanted > histogram[bin]) {
        wanted -= histogram[bin];
        --bin;
    }
    const std::uint32_t highBits = range.last & ~((std::uint32_t{kMostBins} << range.shift) - 1);
    const std::uint32_t first = highBits | (bin << range.shift);
    const std::uint32_t last = first + ((std::uint32_t{1} << range.shift) - 1);
    return {{first, last, range.shift > 10 ? range.shift - 10 : 0}, wanted};
}

}  // namespace concertina::kernels
