// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/catalogue.h"

namespace concertina {

DatasetDescriptor fashionMnistDataset();

std::span<const DatasetDescriptor> datasets() {
    static const std::vector<DatasetDescriptor> kTable{
        fashionMnistDataset(),
    };
    return kTable;
}

}  // namespace concertina
