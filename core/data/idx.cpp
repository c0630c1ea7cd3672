// SPDX-License-Identifier: Apache-2.0
// Data sets in the four IDX files of the MNIST family (resources/datasets/fashion-mnist.md).
#include "core/catalogue/datasets/idx_files.h"

#include "core/data/image_set.h"

namespace concertina {
namespace {

LabelledImages readPart(const std::string& folder, const std::string& prefix) {
    return {readIdx(folder, prefix + "-images-idx3-ubyte").bytes,
            readIdx(folder, prefix + "-labels-idx1-ubyte").bytes};
}

std::unique_ptr<Dataset> load(const char* name,
                              const Settings& options,
                              std::uint64_t seed,
                              const std::optional<std::vector<Normalization>>& channels) {
    const std::string& folder = textOf(options, "path");
    return std::make_unique<ImageSet>(findDataset(name)->formOf(options), readPart(folder, "train"),
                                      readPart(folder, "t10k"), channels, augmentationOf(options),
                                      seed);
}

}  // namespace

// Means and deviations of the 60,000 training images.

std::unique_ptr<Dataset> makeFashionMnist(const Settings& options, std::uint64_t seed) {
    return load("fashion-mnist", options, seed, {{{0.2860F, 0.3530F}}});
}

std::unique_ptr<Dataset> makeMnist(const Settings& options, std::uint64_t seed) {
    return load("mnist", options, seed, {{{0.1307F, 0.3081F}}});
}

std::unique_ptr<Dataset> makeIdx(const Settings& options, std::uint64_t seed) {
    return load("idx", options, seed, std::nullopt);
}

}  // namespace concertina
