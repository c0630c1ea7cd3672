// SPDX-License-Identifier: Apache-2.0
// The data sets that have a loader. A row here and a row in core/catalogue/datasets.cpp: a contract
// test compares them.
#include <array>

#include "core/base/check.h"
#include "core/data/dataset.h"

namespace concertina {

using DatasetFactory = std::unique_ptr<Dataset>(const Settings& options, std::uint64_t seed);
DatasetFactory makeCifar10, makeCifar100, makeFashionMnist, makeIdx, makeMixture, makeMnist,
    makeRegression, makeText;

namespace {

struct Row {
    const char* name;
    DatasetFactory* make;
};

constexpr std::array kRows{
    Row{"cifar10", makeCifar10},
    Row{"cifar100", makeCifar100},
    Row{"fashion-mnist", makeFashionMnist},
    Row{"idx", makeIdx},
    Row{"mixture", makeMixture},
    Row{"mnist", makeMnist},
    Row{"regression", makeRegression},
    Row{"text", makeText},
};

}  // namespace

std::unique_ptr<Dataset> makeDataset(const Choice& data, std::uint64_t seed) {
    for (const Row& row : kRows) {
        if (data.name == row.name) {
            return row.make(data.options, seed);
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
