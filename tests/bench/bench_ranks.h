// SPDX-License-Identifier: Apache-2.0
// BenchRanks: two ranks in one process whose layers are the matrices of ResNet-18, all in one
// bucket. Rank 0 is measured, as the pipeline would call it (core/comm/bucket_exchange.cpp); rank 1
// takes one step and its payloads are used again. One thread.
#pragma once
#include <ATen/core/Tensor.h>

#include <memory>
#include <vector>

#include "core/compress/compressor.h"

namespace concertina::bench {

/// Standard normal numbers: a piece of one table, which begins elsewhere for each seed. At most as
/// many as the largest of ResNet-18's matrices has.
at::Tensor normalFloats(std::int64_t count, std::uint32_t seed);

class BenchRanks {
 public:
    /// Level and options complete: every key has a value.
    BenchRanks(const CompressorDescriptor& compressor,
               const Settings& level,
               const Settings& options);

    struct Seconds {
        double encode = 0;  // kernels::accumulate and every phase's encode
        double decode = 0;  // every phase's decode
    };
    /// One step of rank 0 from the same gradients and memory; the first one is also rank 1's.
    Seconds step();

    std::int64_t elements() const { return elements_; }
    /// What rank 0 sent in the last step, as a share of 4 bytes an element.
    double sentShare() const;

 private:
    struct Layer {
        Shape shape;
        BytePlan plan;
        at::Tensor gradient, memory, next;  // memory undefined: the compressor needs none
        LayerWork work{};
        std::vector<at::Tensor> payloads{};  // by phase, room for the longest
        std::vector<std::int64_t> bytes{};   // of them, as sent
    };
    struct Rank {
        std::unique_ptr<Compressor> compressor;
        std::vector<Layer> layers;
    };

    Rank makeRank(const CompressorDescriptor& compressor, const Settings& options, int rank) const;
    void begin(Rank& rank) const;
    void feed(Rank& rank) const;
    void encode(Rank& rank, int phase) const;
    void tellSizes(Rank& rank, int phase) const;
    void decode(Rank& rank, int phase, const std::vector<at::Tensor>& combined) const;
    std::vector<at::Tensor> combine(int phase) const;

    Settings level_;
    std::vector<Rank> ranks_;
    std::int64_t elements_ = 0, step_ = 0;
    int phases_ = 1;
};

}  // namespace concertina::bench
