// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/models/needs.h"

namespace concertina {

ModelDescriptor vgg11BnModel() {
    return {
        .name = "vgg11_bn",
        .summary = "VGG-11 with batch norm and a classifier of 512, 512 units for small images",
        .parameters = {dropoutParameter(0.5)},
        .defaultDataset = "cifar10",
        .parameterCount = 9756426,
        .problem = [](const Settings&, const DataForm& data) { return needsImages(data, 32, 63); }};
}

}  // namespace concertina
