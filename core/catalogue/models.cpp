// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/catalogue.h"

namespace concertina {

ModelDescriptor mlpModel();
ModelDescriptor lenet5Model();
ModelDescriptor logisticModel();
ModelDescriptor resnet20Model();
ModelDescriptor resnet18Model();
ModelDescriptor vgg11BnModel();
ModelDescriptor vgg19BnModel();
ModelDescriptor senet18Model();
ModelDescriptor googlenetModel();
ModelDescriptor densenetCifarModel();
ModelDescriptor lstmLmModel();
ModelDescriptor transformerLmModel();

std::span<const ModelDescriptor> models() {
    static const std::vector<ModelDescriptor> kTable{
        mlpModel(),       lenet5Model(),        logisticModel(), resnet20Model(),
        resnet18Model(),  vgg11BnModel(),       vgg19BnModel(),  senet18Model(),
        googlenetModel(), densenetCifarModel(), lstmLmModel(),   transformerLmModel(),
    };
    return kTable;
}

std::string modelProblem(const ModelDescriptor& model,
                         const Settings& options,
                         const DataForm& data) {
    const std::string problem = model.problem(options, data);
    return problem.empty() ? "" : model.name + " " + problem;
}

}  // namespace concertina
