// SPDX-License-Identifier: Apache-2.0
// BucketExchange: what happens to one bucket of gradients: momentum and error memory are added,
// each layer is encoded at its level, all sum-type segments of a value type travel in one
// all-reduce and all gather-type segments in one all-gather per phase, and the means are decoded
// into the bucket. Messages of variable size exchange their sizes first, in an all-gather that is
// counted on its own, and each is padded to the longest of its layer over ranks: so padding belongs
// to a layer and is counted there. (Padding only the whole bucket would send less where ranks
// differ, but rows would lose their common layout.) Communication thread only.
#pragma once
#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>
#include <vector>

#include "core/comm/collectives.h"
#include "core/comm/error_memory.h"
#include "core/comm/layer_table.h"
#include "core/compress/compressor.h"

namespace concertina {

/// A layer's part of a bucket: a flat view, gradient in and mean over ranks out.
struct BucketSlice {
    int layer;
    at::Tensor gradient;  // (n) fp32, contiguous
};

/// Send and receive buffers that live as long as the pipeline: fresh ones would cost page faults in
/// every step.
class ScratchBuffer {
 public:
    /// The first `bytes` of the buffer, uint8, on `device`; grows as needed.
    at::Tensor take(std::int64_t bytes, at::Device device);

 private:
    at::Tensor storage_;
};

/// What the spec's [compress] says of the exchange, not of a compressor.
struct ExchangeOptions {
    bool errorFeedback = false;
    float errorDecay = 1;     // share of the error memory that is added
    float localMomentum = 0;  // > 0: momentum is applied before compression, with this factor
};

class BucketExchange {
 public:
    struct Parts {
        std::vector<Layer>& layers;
        const std::vector<Settings>& levels;  // of the spec, mild first
        Compressor& compressor;
        ErrorMemory &memory, &momentum;
        Collectives& collectives;
        ExchangeOptions options;
    };
    explicit BucketExchange(Parts parts) : parts_(parts) {}

    /// Blocks until the means are in the slices. Returns the layers whose gradient was not finite
    /// on this rank: they contributed zeros and their error memory stays as it was.
    std::vector<int> run(const std::vector<BucketSlice>& slices, std::int64_t step);

 private:
    struct Item {
        BucketSlice slice;
        LayerWork work{};
        const BytePlan* plan = nullptr;
        std::int64_t offset = 0;  // of its segment in this phase's buffer
        std::int64_t bytes = 0;   // of its segment
        bool finite = true;
    };
    static constexpr int kSumTypes = 3;  // Reduction::Sum, SumFp16, SumBf16
    struct PhaseBuffers {
        std::array<at::Tensor, kSumTypes> sums;
        at::Tensor gather;    // fixed segments, then room for the variable ones
        at::Tensor variable;  // each at its capacity, before sizes are known
        std::int64_t gatherBytes = 0;
        at::Tensor rows;  // (W, gatherBytes)
    };

    void takeOver(const std::vector<BucketSlice>& slices, std::int64_t step);
    PhaseBuffers layOut(int phase);
    at::Tensor segmentOf(const Item& item, int phase, const PhaseBuffers& buffers) const;
    void feedAll(const PhaseBuffers& buffers);
    void feed(Item& item, const at::Tensor& denseSegment);
    void encode(int phase, PhaseBuffers& buffers);
    void agreeOnSizes(int phase, PhaseBuffers& buffers);
    void shareSizes(const std::vector<Item*>& variable, at::Device device);
    void append(Item& item, PhaseBuffers& buffers);
    void count(int phase);
    void exchange(PhaseBuffers& buffers);
    void decode(int phase, PhaseBuffers& buffers);
    void settle();

    Parts parts_;
    std::vector<Item> items_;
    std::array<ScratchBuffer, kSumTypes> sums_;
    ScratchBuffer gather_, variable_, rows_;
};

}  // namespace concertina
