// SPDX-License-Identifier: Apache-2.0
// BucketExchange: what happens to one bucket of gradients: error memory is added, each layer is
// encoded at its level, all sum-type segments travel in one all-reduce and all gather-type segments
// in one all-gather per phase, and the means are decoded into the bucket. Communication thread
// only.
#pragma once
#include <ATen/core/Tensor.h>

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

class BucketExchange {
 public:
    struct Parts {
        std::vector<Layer>& layers;
        const std::vector<Settings>& levels;  // of the spec, mild first
        Compressor& compressor;
        ErrorMemory& memory;
        Collectives& collectives;
        bool errorFeedback;
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
        bool finite = true;
    };
    struct PhaseBuffers {
        at::Tensor sum, gather, rows;
    };

    PhaseBuffers layOut(int phase);
    void feed(Item& item, const at::Tensor& segment);
    void encode(int phase, PhaseBuffers& buffers);
    void exchange(PhaseBuffers& buffers);
    void decode(int phase, PhaseBuffers& buffers);
    void settle();

    Parts parts_;
    std::vector<Item> items_;
    ScratchBuffer sum_, gather_, rows_;
};

}  // namespace concertina
