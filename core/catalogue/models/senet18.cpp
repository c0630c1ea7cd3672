// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/models/needs.h"

namespace concertina {

ModelDescriptor senet18Model() {
    return {.name = "senet18",
            .summary =
                "SENet-18 for small images: ResNet-18 of pre-activation blocks with "
                "squeeze-and-excitation",
            .parameters = {},
            .defaultDataset = "cifar10",
            .parameterCount = 11260354,
            .problem = [](const Settings&, const DataForm& data) { return needsImages(data, 8); }};
}

}  // namespace concertina
