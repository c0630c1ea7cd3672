// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/models/needs.h"

namespace concertina {
namespace {

std::string problem(const Settings& /*options*/, const DataForm& data) {
    return data.task == Task::Classes ? "" : "needs classes to predict, found " + formText(data);
}

}  // namespace

ModelDescriptor logisticModel() {
    return {.name = "logistic",
            .summary = "Multinomial logistic regression: one linear layer, which is convex",
            .parameters = {},
            .defaultDataset = "fashion-mnist",
            .parameterCount = 784 * 10 + 10,
            .problem = problem};
}

}  // namespace concertina
