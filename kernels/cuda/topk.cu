// SPDX-License-Identifier: Apache-2.0
// The threshold is found as on the CPU, by three histograms (topk_threshold.h), and stays on the
// device. Then tiles of elements are counted, the counts summed up over tiles, and each tile writes
// its elements where those before it end: indices come out in ascending order and the result does
// not depend on which block runs first.
#include <algorithm>

#include "kernels/cuda/device.h"
#include "kernels/topk.h"
#include "kernels/topk_threshold.h"

namespace concertina::kernels::cuda {
namespace {

constexpr int kRounds = 16;
constexpr std::int64_t kTile = std::int64_t{kThreads} * kRounds;
constexpr int kWarps = kThreads / 32;

struct Search {
    PatternRange range;
    std::int64_t wanted;
};

/// Elements of a tile, then of all tiles before it.
struct TileCount {
    unsigned above, equal;
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
        const std::int64_t i = blockIdx.x * kTile + round * kThreads + threadIdx.x;
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

/// One block: thread t sums up a run of tiles, then adds what the threads before it have.
__global__ void sumUpTiles(TileCount* tiles, unsigned tileCount) {
    __shared__ TileCount totals[kThreads];
    const unsigned run = (tileCount + kThreads - 1) / kThreads;
    const unsigned first = min(threadIdx.x * run, tileCount);
    const unsigned end = min(first + run, tileCount);
    TileCount total{0, 0};
    for (unsigned tile = first; tile < end; ++tile) {
        total.above += tiles[tile].above;
        total.equal += tiles[tile].equal;
    }
    totals[threadIdx.x] = total;
    __syncthreads();
    TileCount before{0, 0};
    for (unsigned thread = 0; thread < threadIdx.x; ++thread) {
        before.above += totals[thread].above;
        before.equal += totals[thread].equal;
    }
    for (unsigned tile = first; tile < end; ++tile) {
        const TileCount own = tiles[tile];
        tiles[tile] = before;
        before.above += own.above;
        before.equal += own.equal;
    }
}

/// How many threads of the block before this one have `flag` set; `total` is how many have it. All
/// threads call it.
__device__ unsigned countBefore(bool flag, unsigned& total) {
    __shared__ unsigned ofWarp[kWarps];
    const unsigned warp = threadIdx.x / 32;
    const unsigned votes = __ballot_sync(0xFFFFFFFFU, flag);
    if (threadIdx.x % 32 == 0) {
        ofWarp[warp] = __popc(votes);
    }
    __syncthreads();
    unsigned before = __popc(votes & ((1U << (threadIdx.x % 32)) - 1));
    total = 0;
    for (unsigned other = 0; other < kWarps; ++other) {
        before += other < warp ? ofWarp[other] : 0;
        total += ofWarp[other];
    }
    __syncthreads();  // before the next call overwrites it
    return before;
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
        const std::int64_t i = blockIdx.x * kTile + round * kThreads + threadIdx.x;
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

constexpr unsigned long long kAllInside = ~0ULL;

/// Adds list `list`; the lowest (list, position) of an index outside the tensor goes to `firstBad`.
__global__ void addList(
    SparseLists lists, int list, float* mean, std::int64_t count, unsigned long long* firstBad) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i >= lists.kept) {
        return;
    }
    const char* start = static_cast<const char*>(lists.first) + list * lists.strideBytes;
    const auto* indices = reinterpret_cast<const std::int32_t*>(start);
    const auto* listValues = reinterpret_cast<const float*>(indices + lists.kept);
    if (indices[i] < 0 || indices[i] >= count) {
        atomicMin(firstBad,
                  static_cast<unsigned long long>(list) << 32 | static_cast<unsigned long long>(i));
        return;
    }
    mean[indices[i]] += listValues[i] / static_cast<float>(lists.lists);
}

KernelStatus refuse(const SparseLists& lists,
                    unsigned long long bad,
                    std::int64_t count,
                    Stream stream) {
    const auto list = static_cast<int>(bad >> 32);
    const auto position = static_cast<std::int64_t>(bad & 0xFFFFFFFFU);
    const char* start = static_cast<const char*>(lists.first) + list * lists.strideBytes;
    std::int32_t index = 0;
    KernelStatus status =
        fetch(reinterpret_cast<const std::int32_t*>(start) + position, index, stream);
    return status.ok ? KernelStatus{false, indexOutOfRange(list, position, index, count)} : status;
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
    const auto tileCount = static_cast<unsigned>((count + kTile - 1) / kTile);
    const Scratch<Search> search(1, stream);
    const Scratch<unsigned> histogram(kMostBins, stream);
    const Scratch<TileCount> tiles(tileCount, stream);
    for (const KernelStatus* status : {&search.status(), &histogram.status(), &tiles.status()}) {
        if (!status->ok) {
            return *status;
        }
    }
    startSearch<<<1, kThreads, 0, handle>>>(search.data(), kept, histogram.data());
    for (int round = 0; round < 3; ++round) {  // 11, 10 and 10 bits
        const unsigned blocks = std::min(tileCount, 1024U);
        countPatterns<<<blocks, kThreads, 0, handle>>>(values, count, search.data(),
                                                       histogram.data());
        narrowSearch<<<1, kThreads, 0, handle>>>(search.data(), histogram.data());
    }
    countTiles<<<tileCount, kThreads, 0, handle>>>(values, count, search.data(), tiles.data());
    sumUpTiles<<<1, kThreads, 0, handle>>>(tiles.data(), tileCount);
    moveSelected<<<tileCount, kThreads, 0, handle>>>(values, count, search.data(), tiles.data(),
                                                     keptIndices, keptValues);
    return launched();
}

KernelStatus scatterMean(const SparseLists& lists, float* mean, std::int64_t count, Stream stream) {
    const cudaStream_t handle = handleOf(stream);
    const Scratch<unsigned long long> firstBad(1, stream);
    if (!firstBad.status().ok) {
        return firstBad.status();
    }
    cudaMemsetAsync(mean, 0, count * sizeof(float), handle);
    cudaMemsetAsync(firstBad.data(), 0xFF, sizeof(unsigned long long), handle);
    // One launch per list: within a list indices differ, and lists are added in their order.
    for (int list = 0; list < lists.lists && lists.kept > 0; ++list) {
        addList<<<blocksFor(lists.kept), kThreads, 0, handle>>>(lists, list, mean, count,
                                                                firstBad.data());
    }
    if (KernelStatus status = launched(); !status.ok) {
        return status;
    }
    unsigned long long bad = kAllInside;
    KernelStatus status = fetch(firstBad.data(), bad, stream);
    return !status.ok || bad == kAllInside ? status : refuse(lists, bad, count, stream);
}

}  // namespace concertina::kernels::cuda
