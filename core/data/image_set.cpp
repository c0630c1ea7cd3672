// SPDX-License-Identifier: Apache-2.0
#include "core/data/image_set.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <cmath>

#include "core/base/check.h"

namespace concertina {
namespace {

/// Mean and deviation of each channel, from how often each byte occurs: exact, in any order.
std::vector<Normalization> measured(const LabelledImages& images, const ImageSize& size) {
    std::vector<Normalization> channels;
    const std::int64_t pixels = size.height * size.width;
    const std::int64_t count = static_cast<std::int64_t>(images.labels.size());
    for (std::int64_t channel = 0; channel < size.channels; ++channel) {
        std::array<std::int64_t, 256> counts{};
        for (std::int64_t sample = 0; sample < count; ++sample) {
            const std::uint8_t* plane =
                images.pixels.data() + (sample * size.channels + channel) * pixels;
            std::for_each(plane, plane + pixels, [&counts](std::uint8_t v) { ++counts[v]; });
        }
        std::int64_t sum = 0, squares = 0;
        for (std::int64_t value = 0; value < 256; ++value) {
            sum += counts[static_cast<std::size_t>(value)] * value;
            squares += counts[static_cast<std::size_t>(value)] * value * value;
        }
        const auto all = static_cast<double>(count * pixels);
        const double mean = static_cast<double>(sum) / all / 255;
        const double variance = static_cast<double>(squares) / all / (255 * 255) - mean * mean;
        // Images of one colour have no deviation to divide by.
        channels.push_back({static_cast<float>(mean),
                            variance > 1e-12 ? static_cast<float>(std::sqrt(variance)) : 1.0F});
    }
    return channels;
}

}  // namespace

ImageSet::ImageSet(DataForm form,
                   LabelledImages train,
                   LabelledImages test,
                   const std::optional<std::vector<Normalization>>& channels,
                   const Augmentation& augmentation,
                   std::uint64_t seed)
    : Dataset(std::move(form)),
      train_(std::move(train)),
      test_(std::move(test)),
      size_{Dataset::form().inputShape[0], Dataset::form().inputShape[1],
            Dataset::form().inputShape[2]},
      augmentation_(augmentation),
      seed_(seed) {
    CONCERTINA_CHECK(static_cast<std::int64_t>(train_.labels.size()) >= size(Split::Train) &&
                         static_cast<std::int64_t>(test_.labels.size()) >= size(Split::Test),
                     "the form promises more images than there are");
    for (const Normalization& channel : channels ? *channels : measured(train_, size_)) {
        auto& values = values_.emplace_back();
        for (std::size_t byte = 0; byte < values.size(); ++byte) {
            values[byte] = (static_cast<float>(byte) / 255.0F - channel.mean) / channel.deviation;
        }
    }
}

Batch ImageSet::load(Split split, std::span<const std::int64_t> indices, int epoch) const {
    const LabelledImages& from = split == Split::Train ? train_ : test_;
    const bool augments = split == Split::Train && !augmentation_.isOff();
    const auto samples = static_cast<std::int64_t>(indices.size());
    const std::int64_t bytes = size_.channels * size_.height * size_.width;
    Batch batch;
    batch.inputs = at::empty({samples, size_.channels, size_.height, size_.width}, at::kFloat);
    batch.targets = at::empty({samples}, at::kLong);
    auto* input = batch.inputs.mutable_data_ptr<float>();
    auto* target = batch.targets.mutable_data_ptr<std::int64_t>();
    std::vector<std::uint8_t> placed(augments ? static_cast<std::size_t>(bytes) : 0);
    for (const std::int64_t index : indices) {
        const std::uint8_t* image = from.pixels.data() + index * bytes;
        if (augments) {
            place(image, placed.data(), size_, drawPlacement(augmentation_, seed_, epoch, index));
            image = placed.data();
        }
        normalize(image, input);
        input += bytes;
        *target++ = from.labels[static_cast<std::size_t>(index)];
    }
    return batch;
}

void ImageSet::normalize(const std::uint8_t* image, float* target) const {
    const std::int64_t pixels = size_.height * size_.width;
    for (const auto& values : values_) {
        for (std::int64_t i = 0; i < pixels; ++i) {
            *target++ = values[*image++];
        }
    }
}

}  // namespace concertina
