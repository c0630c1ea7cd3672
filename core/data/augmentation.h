// SPDX-License-Identifier: Apache-2.0
// Augmentation of images as bytes: moved, mirrored, turned. What is drawn for a sample depends on
// the run's seed, the epoch and the sample only: not on ranks, batches, threads or compression.
// Pure, any thread.
#pragma once
#include <cstdint>

#include "core/base/value.h"

namespace concertina {

/// What may be done to a training image.
struct Augmentation {
    std::int64_t padCrop = 0;    // most pixels it is moved by, each way
    bool flip = false;           // mirrored left to right with probability 1/2
    double rotationDegrees = 0;  // turned by up to this, either way

    bool isOff() const { return padCrop == 0 && !flip && rotationDegrees == 0; }
};
/// The keys pad_crop, flip and rotation.
Augmentation augmentationOf(const Settings& settings);

/// What is done to one image, in this order: moved down and right (what comes in is 0), mirrored,
/// turned counter-clockwise about its middle (the nearest pixel is taken, outside it is 0). The
/// order is torchvision's RandomCrop, RandomHorizontalFlip, RandomRotation.
struct Placement {
    std::int64_t down = 0, right = 0;
    bool mirrored = false;
    double turnedDegrees = 0;
};
/// Each possible movement and each angle is equally likely.
Placement drawPlacement(const Augmentation& augmentation,
                        std::uint64_t seed,
                        int epoch,
                        std::int64_t sample);

struct ImageSize {
    std::int64_t channels, height, width;
};
/// source, target: (C, H, W), not overlapping.
void place(const std::uint8_t* source,
           std::uint8_t* target,
           const ImageSize& size,
           const Placement& placement);

}  // namespace concertina
