// SPDX-License-Identifier: Apache-2.0
// The models that have a builder. A row here and a row in core/catalogue/models.cpp: a contract
// test compares them.
#include <ATen/Context.h>

#include <array>

#include "core/base/check.h"
#include "core/model/model.h"

namespace concertina {

std::shared_ptr<Model> makeLenet5(const Settings& options, const DatasetDescriptor& data);
std::shared_ptr<Model> makeMlp(const Settings& options, const DatasetDescriptor& data);

namespace {

struct Row {
    const char* name;
    std::shared_ptr<Model> (*make)(const Settings&, const DatasetDescriptor&);
};

constexpr std::array kRows{
    Row{"lenet5", makeLenet5},
    Row{"mlp", makeMlp},
};

}  // namespace

std::shared_ptr<Model> makeModel(const Choice& model,
                                 const DatasetDescriptor& data,
                                 std::uint64_t seed) {
    for (const Row& row : kRows) {
        if (model.name == row.name) {
            at::manual_seed(seed);
            return row.make(model.options, data);
        }
    }
    CONCERTINA_CHECK(false, "no builder for model '" + model.name + "'");
}

std::vector<std::string> modelFactoryNames() {
    std::vector<std::string> names;
    for (const Row& row : kRows) {
        names.emplace_back(row.name);
    }
    return names;
}

}  // namespace concertina
