// SPDX-License-Identifier: Apache-2.0
#include "core/data/augmentation.h"

#include <cmath>
#include <numbers>

#include "core/base/seeds.h"

namespace concertina {
namespace {

/// Where in the image that was moved, mirrored and turned a pixel came from.
class Origin {
 public:
    Origin(const ImageSize& size, const Placement& placement)
        : size_(size),
          placement_(placement),
          cosine_(std::cos(placement.turnedDegrees * std::numbers::pi / 180)),
          sine_(std::sin(placement.turnedDegrees * std::numbers::pi / 180)) {}

    /// Index into a channel, or -1 for none.
    std::int64_t of(std::int64_t row, std::int64_t column) const {
        if (placement_.turnedDegrees != 0 && !unturn(row, column)) {
            return -1;
        }
        if (placement_.mirrored) {
            column = size_.width - 1 - column;
        }
        row -= placement_.down;
        column -= placement_.right;
        return isInside(row, column) ? row * size_.width + column : -1;
    }

 private:
    bool isInside(std::int64_t row, std::int64_t column) const {
        return row >= 0 && row < size_.height && column >= 0 && column < size_.width;
    }

    bool unturn(std::int64_t& row, std::int64_t& column) const {
        const double middleX = static_cast<double>(size_.width - 1) / 2;
        const double middleY = static_cast<double>(size_.height - 1) / 2;
        const double x = static_cast<double>(column) - middleX;
        const double y = static_cast<double>(row) - middleY;  // downwards
        column = std::llround(cosine_ * x - sine_ * y + middleX);
        row = std::llround(sine_ * x + cosine_ * y + middleY);
        return isInside(row, column);
    }

    ImageSize size_;
    Placement placement_;
    double cosine_, sine_;
};

}  // namespace

Augmentation augmentationOf(const Settings& settings) {
    return {integerOf(settings, "pad_crop"), booleanOf(settings, "flip"),
            realOf(settings, "rotation")};
}

Placement drawPlacement(const Augmentation& augmentation,
                        std::uint64_t seed,
                        int epoch,
                        std::int64_t sample) {
    const auto stream = randomStream(
        seed, "augmentation",
        {.layer = static_cast<std::uint32_t>(sample), .step = static_cast<std::uint32_t>(epoch)});
    const kernels::PhiloxBlock bits = stream.block(0);
    const auto shift = [&augmentation](std::uint32_t word) {
        const auto choices = static_cast<std::uint64_t>(2 * augmentation.padCrop + 1);
        return static_cast<std::int64_t>((word * choices) >> 32) - augmentation.padCrop;
    };
    return {.down = shift(bits.word[0]),
            .right = shift(bits.word[1]),
            .mirrored = augmentation.flip && (bits.word[2] >> 31) != 0,
            .turnedDegrees =
                augmentation.rotationDegrees * (2 * kernels::uniformFromBits(bits.word[3]) - 1)};
}

void place(const std::uint8_t* source,
           std::uint8_t* target,
           const ImageSize& size,
           const Placement& placement) {
    const Origin origin(size, placement);
    const std::int64_t pixels = size.height * size.width;
    for (std::int64_t row = 0; row < size.height; ++row) {
        for (std::int64_t column = 0; column < size.width; ++column) {
            const std::int64_t from = origin.of(row, column);
            const std::int64_t to = row * size.width + column;
            for (std::int64_t channel = 0; channel < size.channels; ++channel) {
                target[channel * pixels + to] = from < 0 ? 0 : source[channel * pixels + from];
            }
        }
    }
}

}  // namespace concertina
