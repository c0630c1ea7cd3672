// SPDX-License-Identifier: Apache-2.0
// What every model of the catalogue must do; a new row is tested without editing this file.
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/optim/sgd.h>

#include "core/data/dataset.h"
#include "core/model/model.h"
#include "core/train/weights.h"

namespace concertina {
namespace {

Settings defaultsOf(const std::vector<Parameter>& parameters) {
    Settings settings;
    for (const Parameter& parameter : parameters) {
        settings[parameter.name] = parameter.defaultValue;
    }
    return settings;
}

TEST(Registries, ModelsAndDataSetsHaveTheNamesOfTheCatalogue) {
    std::vector<std::string> modelNames, dataNames;
    for (const ModelDescriptor& model : models()) {
        modelNames.push_back(model.name);
    }
    for (const DatasetDescriptor& data : datasets()) {
        dataNames.push_back(data.name);
    }
    EXPECT_THAT(modelFactoryNames(), ::testing::UnorderedElementsAreArray(modelNames));
    EXPECT_THAT(datasetFactoryNames(), ::testing::UnorderedElementsAreArray(dataNames));
}

class EveryModel : public ::testing::TestWithParam<ModelDescriptor> {
 protected:
    std::shared_ptr<Model> make(std::uint64_t seed) const {
        return makeModel({GetParam().name, defaultsOf(GetParam().parameters)}, data(), seed);
    }
    const DatasetDescriptor& data() const { return *findDataset(GetParam().defaultDataset); }
    at::Tensor inputs(std::int64_t batch) const {
        std::vector<std::int64_t> shape{batch};
        shape.insert(shape.end(), data().inputShape.begin(), data().inputShape.end());
        at::manual_seed(3);
        return at::randn(shape);
    }
};

TEST_P(EveryModel, HasTheStatedNumberOfParameters) {
    std::int64_t count = 0;
    for (const at::Tensor& parameter : make(1)->parameters()) {
        count += parameter.numel();
    }
    EXPECT_EQ(count, GetParam().parameterCount);
}

TEST_P(EveryModel, GivesOneLogitPerClass) {
    const at::Tensor logits = make(1)->forward(inputs(5));
    EXPECT_EQ(logits.sizes().vec(), (std::vector<std::int64_t>{5, data().classes}));
    EXPECT_TRUE(logits.isfinite().all().item<bool>());
}

TEST_P(EveryModel, SameSeedSameWeights) {
    EXPECT_EQ(weightsHash(*make(1)), weightsHash(*make(1)));
    EXPECT_NE(weightsHash(*make(1)), weightsHash(*make(2)));
}

TEST_P(EveryModel, LearnsAFixedBatchAndMovesEveryParameter) {
    const auto model = make(1);
    const at::Tensor x = inputs(8);
    const at::Tensor y = at::randint(data().classes, {8}, at::kLong);
    torch::optim::SGD optimizer(model->parameters(), torch::optim::SGDOptions(0.02).momentum(0.9));
    double first = 0, last = 0;
    for (int step = 0; step < 150; ++step) {
        optimizer.zero_grad();
        at::Tensor loss = at::cross_entropy_loss(model->forward(x), y);
        loss.backward();
        last = loss.item<double>();
        first = step == 0 ? last : first;
        if (step == 0) {
            for (const auto& named : model->named_parameters()) {
                EXPECT_GT(named.value().grad().abs().sum().item<double>(), 0) << named.key();
            }
        }
        optimizer.step();
    }
    EXPECT_LT(last, 0.5 * first);
}

INSTANTIATE_TEST_SUITE_P(Catalogue,
                         EveryModel,
                         ::testing::ValuesIn(models().begin(), models().end()),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace concertina
