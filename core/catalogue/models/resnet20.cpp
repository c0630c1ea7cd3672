// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/models/needs.h"

namespace concertina {

ModelDescriptor resnet20Model() {
    return {.name = "resnet20",
            .summary =
                "ResNet-20 for small images: 3 stages of 3 basic blocks, 16 to 64 channels, "
                "shortcuts without weights",
            .parameters = {},
            .defaultDataset = "cifar10",
            .parameterCount = 269722,
            .problem = [](const Settings&, const DataForm& data) { return needsImages(data, 4); }};
}

}  // namespace concertina
