// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/models/needs.h"

namespace concertina {

ModelDescriptor lenet5Model() {
    constexpr std::int64_t kConvolutions = (6 * 1 * 5 * 5 + 6) + (16 * 6 * 5 * 5 + 16);
    constexpr std::int64_t kLinear = (400 * 120 + 120) + (120 * 84 + 84) + (84 * 10 + 10);
    return {
        .name = "lenet5",
        .summary = "LeNet-5: two 5x5 convolutions with 2x2 max-pooling, three linear layers, ReLU",
        .parameters = {},
        .defaultDataset = "fashion-mnist",
        .parameterCount = kConvolutions + kLinear,
        .problem = [](const Settings&, const DataForm& data) { return needsImages(data, 12); }};
}

}  // namespace concertina
