// SPDX-License-Identifier: Apache-2.0
// CIFAR-10 and CIFAR-100 (resources/datasets/cifar10.md).
#include "core/catalogue/datasets/cifar_files.h"

#include "core/data/image_set.h"

namespace concertina {
namespace {

std::unique_ptr<Dataset> load(const char* name,
                              const CifarSet& set,
                              const Settings& options,
                              std::uint64_t seed,
                              const std::vector<Normalization>& channels) {
    const auto read = [&](const std::vector<std::string>& files) {
        CifarImages images = readCifar(textOf(options, "path"), set, files);
        return LabelledImages{std::move(images.pixels), std::move(images.labels)};
    };
    return std::make_unique<ImageSet>(findDataset(name)->formOf(options), read(set.trainFiles),
                                      read({set.testFile}), channels, augmentationOf(options),
                                      seed);
}

}  // namespace

// Means and deviations of red, green and blue as the Accordion experiments have them.

std::unique_ptr<Dataset> makeCifar10(const Settings& options, std::uint64_t seed) {
    return load("cifar10", cifar10Files(), options, seed,
                {{0.4914F, 0.2023F}, {0.4822F, 0.1994F}, {0.4465F, 0.2010F}});
}

std::unique_ptr<Dataset> makeCifar100(const Settings& options, std::uint64_t seed) {
    return load("cifar100", cifar100Files(), options, seed,
                {{0.5071F, 0.2675F}, {0.4867F, 0.2565F}, {0.4408F, 0.2761F}});
}

}  // namespace concertina
