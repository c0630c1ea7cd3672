// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/models/needs.h"

namespace concertina {

ModelDescriptor mlpModel() {
    return {.name = "mlp",
            .summary = "Fully connected layers with ReLU between them",
            .parameters = {{.name = "hidden",
                            .type = ParameterType::IntegerList,
                            .unit = "units",
                            .defaultValue = std::vector<std::int64_t>{256, 128},
                            .min = 1,
                            .max = 65536,
                            .summary = "width of each hidden layer, input side first"}},
            .defaultDataset = "fashion-mnist",
            .parameterCount = (784 * 256 + 256) + (256 * 128 + 128) + (128 * 10 + 10),
            .problem = [](const Settings&, const DataForm& data) { return needsNumbers(data); }};
}

}  // namespace concertina
