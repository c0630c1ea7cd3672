// SPDX-License-Identifier: Apache-2.0
// Dataset: samples in memory, handed out as batches. Made once per rank from a validated spec; the
// training loop and its loading threads call it, any number at once. A rank holds the whole set:
// sharding is the order's business (sharded_order.h).
#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/catalogue/catalogue.h"
#include "core/spec/run_spec.h"

namespace concertina {

struct Batch {
    at::Tensor inputs;  // (B, inputShape...) fp32; of tokens (B, T) int64
    /// (B) int64 classes; (B, outputs) fp32 values; (B, T) int64, the word after each.
    at::Tensor targets;
};

enum class Split { Train, Test };

class Dataset {
 public:
    explicit Dataset(DataForm form) : form_(std::move(form)) {}
    virtual ~Dataset() = default;

    const DataForm& form() const { return form_; }
    std::int64_t size(Split split) const {
        return split == Split::Train ? form_.trainSamples : form_.testSamples;
    }
    /// The samples at `indices`, in that order, on the CPU. Training samples are augmented by
    /// numbers that depend on the run's seed, the epoch and the sample only. Throws
    /// std::out_of_range beyond size(split).
    Batch batch(Split split, std::span<const std::int64_t> indices, int epoch = 0) const;

 protected:
    /// batch() with indices in range.
    virtual Batch load(Split split, std::span<const std::int64_t> indices, int epoch) const = 0;

 private:
    DataForm form_;
};

/// Throws Error(Usage) naming the file when data are missing or malformed. `seed`: the run's, for
/// augmentation.
std::unique_ptr<Dataset> makeDataset(const Choice& data, std::uint64_t seed);
std::vector<std::string> datasetFactoryNames();

}  // namespace concertina
