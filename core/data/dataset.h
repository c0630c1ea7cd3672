// SPDX-License-Identifier: Apache-2.0
// Dataset: samples in memory, handed out as batches. Made once per rank from a validated spec; the
// training loop calls it from one thread. A rank holds the whole set: sharding is the order's
// business (sharded_order.h).
#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/spec/run_spec.h"

namespace concertina {

struct Batch {
    at::Tensor inputs;   // (B, C, H, W) fp32
    at::Tensor targets;  // (B) int64
};

enum class Split { Train, Test };

class Dataset {
 public:
    virtual ~Dataset() = default;
    virtual std::int64_t size(Split split) const = 0;
    /// The samples at `indices`, in that order, on the CPU. Throws std::out_of_range beyond
    /// size(split).
    virtual Batch batch(Split split, std::span<const std::int64_t> indices) const = 0;
};

/// Throws Error(Usage) naming the file when data are missing or malformed.
std::unique_ptr<Dataset> makeDataset(const Choice& data);
std::vector<std::string> datasetFactoryNames();

}  // namespace concertina
