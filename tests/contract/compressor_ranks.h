// SPDX-License-Identifier: Apache-2.0
// Ranks in one process: W compressors of one name, whose payloads are combined by hand as the
// collectives would do it. Used by the tests of core/compress and the contract test.
#pragma once
#include <ATen/core/Tensor.h>

#include <memory>
#include <string>
#include <vector>

#include "core/compress/compressor.h"

namespace concertina {

class CompressorRanks {
 public:
    CompressorRanks(const std::string& name, int worldSize, std::uint64_t seed = 1);

    /// One step of one layer: inputs[rank] becomes the residual; returns the mean, after checking
    /// that it is the same bits on all ranks. `plan` is the descriptor's.
    at::Tensor step(const BytePlan& plan,
                    const Shape& shape,
                    std::vector<at::Tensor>& inputs,
                    std::int64_t step = 0,
                    int layer = 0);

    Compressor& rank(int index) { return *ranks_[index]; }
    /// What rank 0 sent in the last step, phase after phase.
    const std::vector<at::Tensor>& sent() const { return sent_; }

 private:
    at::Tensor combine(Reduction reduction, const std::vector<at::Tensor>& payloads) const;

    std::vector<std::unique_ptr<Compressor>> ranks_;
    std::vector<at::Tensor> sent_;
};

/// Plan of a compressor's level, as the catalogue has it.
BytePlan planOf(const std::string& name, const Shape& shape, const Settings& level);

/// (n*m) fp32, standard normal, the same for the same seed.
at::Tensor normalTensor(const Shape& shape, std::uint64_t seed);
/// Whole numbers in -limit..limit: sums of them are exact.
at::Tensor wholeTensor(const Shape& shape, int limit, std::uint64_t seed);

at::Tensor sumOf(const std::vector<at::Tensor>& tensors);
bool sameBits(const at::Tensor& a, const at::Tensor& b);
std::vector<at::Tensor> copiesOf(const std::vector<at::Tensor>& tensors);

}  // namespace concertina
