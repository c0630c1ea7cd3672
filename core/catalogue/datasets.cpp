// SPDX-License-Identifier: Apache-2.0
#include "core/base/check.h"
#include "core/catalogue/catalogue.h"

namespace concertina {

DatasetDescriptor fashionMnistDataset();
DatasetDescriptor mnistDataset();
DatasetDescriptor idxDataset();
DatasetDescriptor cifar10Dataset();
DatasetDescriptor cifar100Dataset();
DatasetDescriptor textDataset();
DatasetDescriptor mixtureDataset();
DatasetDescriptor regressionDataset();

std::span<const DatasetDescriptor> datasets() {
    static const std::vector<DatasetDescriptor> kTable{
        fashionMnistDataset(), mnistDataset(), idxDataset(),     cifar10Dataset(),
        cifar100Dataset(),     textDataset(),  mixtureDataset(), regressionDataset(),
    };
    return kTable;
}

const char* toText(Task task) {
    switch (task) {
        case Task::Classes:
            return "classes";
        case Task::Values:
            return "values";
        case Task::Tokens:
            return "tokens";
    }
    CONCERTINA_CHECK(false, "unknown task");
}

}  // namespace concertina
