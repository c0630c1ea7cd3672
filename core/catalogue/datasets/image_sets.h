// SPDX-License-Identifier: Apache-2.0
// What data sets of labelled images have in common: keys for the folder, for how many samples are
// used and for augmentation. Used by their descriptors; pure, any thread.
#pragma once
#include "core/catalogue/catalogue.h"

namespace concertina {

/// Defaults and limits of an image set's keys.
struct ImageSetKeys {
    std::string path, pathSummary;
    std::int64_t trainSamples, testSamples;  // of the full set; 0: not known without its files
    std::int64_t padCrop = 0;
    bool flip = false;
};

/// path, train_samples, test_samples, pad_crop, flip, rotation.
std::vector<Parameter> imageSetParameters(const ImageSetKeys& keys);

/// The form with the first train_samples and test_samples of its samples (0: all).
DataForm limitedForm(DataForm form, const Settings& settings);

}  // namespace concertina
