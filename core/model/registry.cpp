// SPDX-License-Identifier: Apache-2.0
// The models that have a builder. A row here and a row in core/catalogue/models.cpp: a contract
// test compares them.
#include <ATen/Context.h>

#include <array>

#include "core/base/check.h"
#include "core/model/model.h"

namespace concertina {

using ModelFactory = std::shared_ptr<Model>(const Settings& options, const DataForm& data);
ModelFactory makeDensenetCifar, makeGooglenet, makeLenet5, makeLogistic, makeLstmLm, makeMlp,
    makeResnet18, makeResnet20, makeSenet18, makeTransformerLm, makeVgg11Bn, makeVgg19Bn;

namespace {

struct Row {
    const char* name;
    ModelFactory* make;
};

constexpr std::array kRows{
    Row{"densenet_cifar", makeDensenetCifar},
    Row{"googlenet", makeGooglenet},
    Row{"lenet5", makeLenet5},
    Row{"logistic", makeLogistic},
    Row{"lstm_lm", makeLstmLm},
    Row{"mlp", makeMlp},
    Row{"resnet18", makeResnet18},
    Row{"resnet20", makeResnet20},
    Row{"senet18", makeSenet18},
    Row{"transformer_lm", makeTransformerLm},
    Row{"vgg11_bn", makeVgg11Bn},
    Row{"vgg19_bn", makeVgg19Bn},
};

}  // namespace

std::shared_ptr<Model> makeModel(const Choice& model, const DataForm& data, std::uint64_t seed) {
    const ModelDescriptor* descriptor = findModel(model.name);
    for (const Row& row : kRows) {
        if (model.name == row.name) {
            CONCERTINA_CHECK(descriptor->problem(model.options, data).empty(), model.name);
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
