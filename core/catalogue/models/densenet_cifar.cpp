// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/models/needs.h"

namespace concertina {

ModelDescriptor densenetCifarModel() {
    return {.name = "densenet_cifar",
            .summary =
                "DenseNet for small images: growth 12, blocks of 6, 12, 24 and 16 layers, half the "
                "channels between",
            .parameters = {},
            .defaultDataset = "cifar10",
            .parameterCount = 1000618,
            .problem = [](const Settings&, const DataForm& data) { return needsImages(data, 8); }};
}

}  // namespace concertina
