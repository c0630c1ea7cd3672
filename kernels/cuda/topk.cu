// SPDX-License-Identifier: Apache-2.0
// The threshold is found as on the CPU, by three histograms (topk_threshold.h), and stays on the
// device. Then the elements are moved tile by tile (compact.h): indices come out in ascending
// order.
#include <algorithm>
#include <cstring>

#include "kernels/cuda/compact.h"
#include "kernels/topk.h"
#include "kernels/topk_threshold.h"

namespace concertina::kernels::cuda {
namespace {

struct Search {
    PatternRange range;
    std::int64_t wanted;
};

/// Elements of a tile, then of all tiles before it.
struct TileCount {
    unsigned above, equal;

    __device__ TileCount operator+(TileCount other) const {
        return {above + other.above, equal + other.equal};
    }
};

__global__ void startSearch(Search* search, std::int64_t kept, unsigned* histogram) {
    if (threadIdx.x == 0) {
        *search = {firstRange(), kept};
    }
    for (int bin = threadIdx.x; bin < kMostBins; bin += kThreads) {
        histogram[bin] = 0;
    }
}

__global__ void countPatterns(const float* values,
                              std::int64_t count,
                              const Search* search,
                              unsigned* histogram) {
    __shared__ unsigned bins[kMostBins];
    for (int bin = threadIdx.x; bin < kMostBins; bin += kThreads) {
        bins[bin] = 0;
    }
    __syncthreads();
    const PatternRange range = search->range;
    const std::int64_t stride = std::int64_t{gridDim.x} * kThreads;
    for (std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x; i < count;
         i += stride) {
        const std::uint32_t pattern = magnitudeBits(values[i]);
        if (pattern >= range.first && pattern <= range.last) {
            atomicAdd(&bins[binOf(range, pattern)], 1U);
        }
    }
    __syncthreads();
    for (int bin = threadIdx.x; bin < kMostBins; bin += kThreads) {
        if (bins[bin] != 0) {
            atomicAdd(&histogram[bin], bins[bin]);
        }
    }
}

/// Narrows the search and clears the histogram for the next count.
__global__ void narrowSearch(Search* search, unsigned* histogram) {
    __shared__ std::uint32_t bins[kMostBins];
    for (int bin = threadIdx.x; bin < kMostBins; bin += kThreads) {
        bins[bin] = histogram[bin];
        histogram[bin] = 0;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        const FoundBin found = findBin(bins, search->range, search->wanted);
        *search = {found.range, found.stillWanted};
    }
}

__global__ void countTiles(const float* values,
                           std::int64_t count,
                           const Search* search,
                           TileCount* tiles) {
    const std::uint32_t threshold = search->range.first;
    unsigned above = 0;
    unsigned equal = 0;
    for (int round = 0; round < kRounds; ++round) {
        const std::int64_t i = elementOf(round);
        const std::uint32_t pattern = i < count ? magnitudeBits(values[i]) : 0;
        above += i < count && pattern > threshold;
        equal += i < count && pattern == threshold;
    }
    above = sumOverBlock(above);
    equal = sumOverBlock(equal);
    if (threadIdx.x == 0) {
        tiles[blockIdx.x] = {above, equal};
    }
}

__global__ void moveSelected(float* values,
                             std::int64_t count,
                             const Search* search,
                             const TileCount* tiles,
                             std::int32_t* keptIndices,
                             float* keptValues) {
    const std::uint32_t threshold = search->range.first;
    const std::int64_t equalKept = search->wanted;
    std::int64_t equalBefore = tiles[blockIdx.x].equal;
    std::int64_t keptBefore = tiles[blockIdx.x].above + min(equalBefore, equalKept);
    for (int round = 0; round < kRounds; ++round) {
        const std::int64_t i = elementOf(round);
        const std::uint32_t pattern = i < count ? magnitudeBits(values[i]) : 0;
        const bool equal = i < count && pattern == threshold;
        unsigned total;
        const std::int64_t equalRank = equalBefore + countBefore(equal, total);
        equalBefore += total;
        const bool keep = i < count && (pattern > threshold || (equal && equalRank < equalKept));
        const std::int64_t place = keptBefore + countBefore(keep, total);
        keptBefore += total;
        if (keep) {
            keptIndices[place] = static_cast<std::int32_t>(i);
            keptValues[place] = values[i];
            values[i] = 0;
        }
    }
}

/// Of all parts: leaves the search at the `wanted`-th largest pattern.
void search(const MagnitudePart* parts,
            int partCount,
            std::int64_t wanted,
            Search* state,
            unsigned* histogram,
            Stream stream) {
    const cudaStream_t handle = handleOf(stream);
    startSearch<<<1, kThreads, 0, handle>>>(state, wanted, histogram);
    for (int round = 0; round < 3; ++round) {  // 11, 10 and 10 bits
        for (const MagnitudePart* part = parts; part != parts + partCount; ++part) {
            if (part->count > 0) {
                const unsigned blocks = std::min(tilesFor(part->count), 1024U);
                countPatterns<<<blocks, kThreads, 0, handle>>>(part->values, part->count, state,
                                                               histogram);
            }
        }
        narrowSearch<<<1, kThreads, 0, handle>>>(state, histogram);
    }
}

}  // namespace

KernelStatus selectTopk(float* values,
                        std::int64_t count,
                        std::int64_t kept,
                        std::int32_t* keptIndices,
                        float* keptValues,
                        Stream stream) {
    if (kept == 0) {
        return {};
    }
    const cudaStream_t handle = handleOf(stream);
    const unsigned tileCount = tilesFor(count);
    const Scratch<Search> found(1, stream);
    const Scratch<unsigned> histogram(kMostBins, stream);
    const Scratch<TileCount> tiles(tileCount, stream);
    for (const KernelStatus* status : {&found.status(), &histogram.status(), &tiles.status()}) {
        if (!status->ok) {
            return *status;
        }
    }
    const MagnitudePart all{values, count};
    search(&all, 1, kept, found.data(), histogram.data(), stream);
    countTiles<<<tileCount, kThreads, 0, handle>>>(values, count, found.data(), tiles.data());
    sumUp<<<1, kThreads, 0, handle>>>(tiles.data(), tileCount, static_cast<TileCount*>(nullptr));
    moveSelected<<<tileCount, kThreads, 0, handle>>>(values, count, found.data(), tiles.data(),
                                                     keptIndices, keptValues);
    return launched();
}

KernelStatus findMagnitude(const MagnitudePart* parts,
                           int partCount,
                           std::int64_t wanted,
                           float& magnitude,
                           Stream stream) {
    const Scratch<Search> found(1, stream);
    const Scratch<unsigned> histogram(kMostBins, stream);
    for (const KernelStatus* status : {&found.status(), &histogram.status()}) {
        if (!status->ok) {
            return *status;
        }
    }
    search(parts, partCount, wanted, found.data(), histogram.data(), stream);
    Search last{};
    if (KernelStatus status = launched(); !status.ok) {
        return status;
    }
    KernelStatus status = fetch(found.data(), last, stream);
    std::memcpy(&magnitude, &last.range.first, sizeof(magnitude));
    return status;
}

}  // namespace concertina::kernels::cuda
