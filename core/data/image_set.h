// SPDX-License-Identifier: Apache-2.0
// ImageSet: labelled images of bytes, held in memory, augmented and normalized when asked for. Made
// by the loaders of this folder; any thread.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/data/augmentation.h"
#include "core/data/dataset.h"

namespace concertina {

struct LabelledImages {
    std::vector<std::uint8_t> pixels;  // (N, C, H, W)
    std::vector<std::uint8_t> labels;  // (N)
};

/// Of a channel's pixels, scaled to 0..1: a batch holds (pixel / 255 - mean) / deviation.
struct Normalization {
    float mean, deviation;
};

class ImageSet : public Dataset {
 public:
    /// `channels`: of each channel; without, that of the training images is taken. REQUIRES: both
    /// splits hold at least what `form` says.
    ImageSet(DataForm form,
             LabelledImages train,
             LabelledImages test,
             const std::optional<std::vector<Normalization>>& channels,
             const Augmentation& augmentation,
             std::uint64_t seed);

 protected:
    Batch load(Split split, std::span<const std::int64_t> indices, int epoch) const override;

 private:
    void normalize(const std::uint8_t* image, float* target) const;

    LabelledImages train_, test_;
    ImageSize size_;
    Augmentation augmentation_;
    std::uint64_t seed_;
    std::vector<std::array<float, 256>> values_;  // of each channel, by byte
};

}  // namespace concertina
