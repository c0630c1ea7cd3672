// SPDX-License-Identifier: Apache-2.0
// The data sets that have a loader. A row here and a row in core/catalogue/datasets.cpp: a contract
// test compares them.
#include <array>

#include "core/base/check.h"
#include "core/data/dataset.h"

namespace concertina {

std::unique_ptr<Dataset> makeFashionMnist(const Settings& options);

namespace {

struct Row {
    const char* name;
    std::unique_ptr<Dataset> (*make)(const Settings&);
};

constexpr std::array kRows{
    Row{"fashion-mnist", makeFashionMnist},
};

}  // namespace

std::unique_ptr<Dataset> makeDataset(const Choice& data) {
    for (const Row& row : kRows) {
        if (data.name == row.name) {
            return row.make(data.options);
        }
    }
    CONCERTINA_CHECK(false, "no loader for data set '" + data.name + "'");
}

std::vector<std::string> datasetFactoryNames() {
    std::vector<std::string> names;
    for (const Row& row : kRows) {
        names.emplace_back(row.name);
    }
    return names;
}

}  // namespace concertina
