// SPDX-License-Identifier: Apache-2.0
// Writing the elements that a condition names side by side, in their order: tiles of elements are
// counted, the counts summed up over tiles, and each tile writes its elements where those before it
// end, so the result does not depend on which block runs first. Included by kernels/cuda/*.cu only.
#pragma once
#include "kernels/cuda/device.h"
#include "kernels/sparse_lists.h"

namespace concertina::kernels::cuda {

constexpr int kRounds = 16;
constexpr std::int64_t kTile = std::int64_t{kThreads} * kRounds;
constexpr int kWarps = kThreads / 32;

inline unsigned tilesFor(std::int64_t count) {
    return static_cast<unsigned>((count + kTile - 1) / kTile);
}

/// Element of round `round` that this thread looks at.
inline __device__ std::int64_t elementOf(int round) {
    return blockIdx.x * kTile + round * kThreads + threadIdx.x;
}

/// Counts become the sums of the counts before them; `total`, where not null, the sum of all. One
/// block: thread t sums up a run of them, then adds what the threads before it have.
template <typename Count>
__global__ void sumUp(Count* counts, std::int64_t size, Count* total) {
    __shared__ Count totals[kThreads];
    const std::int64_t run = (size + kThreads - 1) / kThreads;
    const std::int64_t first = min(threadIdx.x * run, size);
    const std::int64_t end = min(first + run, size);
    Count own{};
    for (std::int64_t i = first; i < end; ++i) {
        own = own + counts[i];
    }
    totals[threadIdx.x] = own;
    __syncthreads();
    Count before{};
    for (unsigned thread = 0; thread < threadIdx.x; ++thread) {
        before = before + totals[thread];
    }
    for (std::int64_t i = first; i < end; ++i) {
        const Count here = counts[i];
        counts[i] = before;
        before = before + here;
    }
    if (total && threadIdx.x == kThreads - 1) {
        *total = before;
    }
}

/// How many threads of the block before this one have `flag` set; `total` is how many have it. All
/// threads call it.
inline __device__ unsigned countBefore(bool flag, unsigned& total) {
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

template <typename Where>
__global__ void countWhere(Where where, std::int64_t count, unsigned* tiles) {
    unsigned found = 0;
    for (int round = 0; round < kRounds; ++round) {
        const std::int64_t i = elementOf(round);
        found += i < count && where(i) ? 1 : 0;
    }
    found = sumOverBlock(found);
    if (threadIdx.x == 0) {
        tiles[blockIdx.x] = found;
    }
}

template <typename Where>
__global__ void moveWhere(
    Where where, float* values, std::int64_t count, const unsigned* tiles, std::int32_t* indices) {
    auto* kept = reinterpret_cast<float*>(indices + tiles[gridDim.x]);
    unsigned before = tiles[blockIdx.x];
    for (int round = 0; round < kRounds; ++round) {
        const std::int64_t i = elementOf(round);
        const bool wanted = i < count && where(i);
        unsigned total;
        const unsigned place = before + countBefore(wanted, total);
        before += total;
        if (wanted) {
            indices[place] = static_cast<std::int32_t>(i);
            kept[place] = values[i];
            values[i] = 0;
        }
    }
}

/// Per tile the elements before it that `where` names; behind the last tile, and in `found`, all.
template <typename Where>
KernelStatus countTilesWhere(
    Where where, std::int64_t count, unsigned* tiles, std::int64_t& found, Stream stream) {
    const unsigned tileCount = tilesFor(count);
    countWhere<<<tileCount, kThreads, 0, handleOf(stream)>>>(where, count, tiles);
    sumUp<<<1, kThreads, 0, handleOf(stream)>>>(tiles, tileCount, tiles + tileCount);
    unsigned all = 0;
    if (KernelStatus status = launched(); !status.ok) {
        return status;
    }
    KernelStatus status = fetch(tiles + tileCount, all, stream);
    found = all;
    return status;
}

/// Moves the elements that `where` names out of `values` into a message of variable size, as
/// select.h says. `where(i)` is asked twice and looks at element i only.
template <typename Where>
KernelStatus moveOut(Where where,
                     float* values,
                     std::int64_t count,
                     void* message,
                     std::int64_t& writtenBytes,
                     Stream stream) {
    writtenBytes = 0;
    if (count == 0) {
        return {};
    }
    const cudaStream_t handle = handleOf(stream);
    const Scratch<unsigned> tiles(tilesFor(count) + 1, stream);
    if (!tiles.status().ok) {
        return tiles.status();
    }
    std::int64_t found = 0;
    if (KernelStatus status = countTilesWhere(where, count, tiles.data(), found, stream);
        !status.ok) {
        return status;
    }
    if (goesDense(found, count)) {
        writtenBytes = 4 * count;
        cudaMemcpyAsync(message, values, writtenBytes, cudaMemcpyDeviceToDevice, handle);
        cudaMemsetAsync(values, 0, writtenBytes, handle);
        return launched();
    }
    writtenBytes = 8 * found;
    moveWhere<<<tilesFor(count), kThreads, 0, handle>>>(where, values, count, tiles.data(),
                                                        static_cast<std::int32_t*>(message));
    return launched();
}

}  // namespace concertina::kernels::cuda
