// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/catalogue.h"

namespace concertina {

ModelDescriptor mlpModel();
ModelDescriptor lenet5Model();

std::span<const ModelDescriptor> models() {
    static const std::vector<ModelDescriptor> kTable{
        mlpModel(),
        lenet5Model(),
    };
    return kTable;
}

}  // namespace concertina
