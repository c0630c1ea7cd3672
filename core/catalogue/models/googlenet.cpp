// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/models/needs.h"

namespace concertina {

ModelDescriptor googlenetModel() {
    return {
        .name = "googlenet",
        .summary =
            "GoogLeNet for small images: 9 inception modules with batch norm, two 3x3 for a 5x5",
        .parameters = {},
        .defaultDataset = "cifar10",
        .parameterCount = 6166250,
        .problem = [](const Settings&, const DataForm& data) { return needsImages(data, 4); }};
}

}  // namespace concertina
