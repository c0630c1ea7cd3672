// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/models/needs.h"

namespace concertina {

ModelDescriptor resnet18Model() {
    return {
        .name = "resnet18",
        .summary =
            "ResNet-18 for small images: 3x3 stem, 4 stages of 2 basic blocks, 64 to 512 channels",
        .parameters = {},
        .defaultDataset = "cifar10",
        .parameterCount = 11173962,
        .problem = [](const Settings&, const DataForm& data) { return needsImages(data, 8); }};
}

}  // namespace concertina
