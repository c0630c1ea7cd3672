// SPDX-License-Identifier: Apache-2.0
// What every model of the catalogue must do; a new row is tested without editing this file.
#include <ATen/Context.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/optim/adam.h>

#include "core/model/model.h"
#include "core/train/task_loss.h"
#include "core/train/weights.h"
#include "tests/support/data_choice.h"

namespace concertina {
namespace {

TEST(Registries, ModelsHaveTheNamesOfTheCatalogue) {
    std::vector<std::string> names;
    for (const ModelDescriptor& model : models()) {
        names.push_back(model.name);
    }
    EXPECT_THAT(modelFactoryNames(), ::testing::UnorderedElementsAreArray(names));
}

class EveryModel : public ::testing::TestWithParam<ModelDescriptor> {
 protected:
    /// As large as it is, on fewer words, so that a step takes less than a second.
    DataForm form() const {
        DataForm form = findDataset(GetParam().defaultDataset)->form;
        if (form.task == Task::Tokens) {
            form.outputs = 50;
            form.inputShape = {6};
        }
        return form;
    }
    Settings options(double dropout) const {
        Settings options = defaultsOf(GetParam().parameters);
        if (options.contains("dropout")) {
            options["dropout"] = dropout;
        }
        return options;
    }
    std::shared_ptr<Model> make(std::uint64_t seed, double dropout = 0) const {
        return makeModel({GetParam().name, options(dropout)}, form(), seed);
    }
    at::Tensor inputs(std::int64_t batch) const {
        const DataForm data = form();
        std::vector<std::int64_t> shape{batch};
        shape.insert(shape.end(), data.inputShape.begin(), data.inputShape.end());
        at::manual_seed(3);
        return data.task == Task::Tokens ? at::randint(data.outputs, shape, at::kLong)
                                         : at::randn(shape);
    }
    std::vector<std::int64_t> targetShape(std::int64_t batch) const {
        return form().task == Task::Tokens ? std::vector{batch, form().inputShape[0]}
                                           : std::vector{batch};
    }
};

TEST_P(EveryModel, HasTheStatedNumberOfParameters) {
    const DataForm full = findDataset(GetParam().defaultDataset)->form;
    std::int64_t count = 0;
    for (const auto& named :
         makeModel({GetParam().name, options(0)}, full, 1)->named_parameters()) {
        count += named.value().numel();
        EXPECT_TRUE(named.value().is_contiguous()) << named.key();
    }
    EXPECT_EQ(count, GetParam().parameterCount);
}

TEST_P(EveryModel, GivesOneOutputPerClass) {
    const at::Tensor outputs = make(1)->forward(inputs(3));
    std::vector<std::int64_t> expected = targetShape(3);
    expected.push_back(form().outputs);
    EXPECT_EQ(outputs.sizes().vec(), expected);
    EXPECT_TRUE(outputs.isfinite().all().item<bool>());
}

TEST_P(EveryModel, SameSeedSameWeights) {
    const std::string hash = weightsHash(*make(1));
    EXPECT_EQ(hash, weightsHash(*make(1)));
    EXPECT_NE(hash, weightsHash(*make(2)));
}

TEST_P(EveryModel, DropoutDrawsFromTheSeedOfTheStepAndNotInEvaluation) {
    if (!options(0).contains("dropout")) {
        GTEST_SKIP() << "has no dropout";
    }
    const auto model = make(1, 0.5);
    const at::Tensor x = inputs(2);
    const auto outputs = [&](std::uint64_t seed) {
        at::manual_seed(seed);
        model->carry({});
        return model->forward(x);
    };
    const at::Tensor first = outputs(7);
    EXPECT_TRUE(first.equal(outputs(7)));
    EXPECT_FALSE(first.equal(outputs(8)));
    model->eval();
    EXPECT_TRUE(outputs(7).equal(outputs(8)));
}

TEST_P(EveryModel, LearnsAFixedBatchAndEveryParameterHasAGradient) {
    const auto model = make(1);
    const at::Tensor x = inputs(4);
    const at::Tensor y = at::randint(form().outputs, targetShape(4), at::kLong);
    torch::optim::Adam optimizer(model->parameters(), torch::optim::AdamOptions(1e-3));
    double first = 0, last = 0;
    constexpr int kSteps = 150;
    for (int step = 0; step == 0 || (step < kSteps && last > 0.7 * first); ++step) {
        optimizer.zero_grad();
        model->carry({});
        at::Tensor loss = taskLoss(form().task, model->forward(x), y);
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
    EXPECT_LE(last, 0.7 * first);
}

TEST_P(EveryModel, DataOfTheWrongFormAreRefused) {
    DataForm wrong = form();
    const bool text = wrong.task == Task::Tokens;
    wrong.task = text ? Task::Classes : Task::Tokens;
    EXPECT_THAT(modelProblem(GetParam(), options(0), wrong),
                ::testing::StartsWith(GetParam().name + " needs "));
    EXPECT_EQ(modelProblem(GetParam(), options(0), form()), "");
}

INSTANTIATE_TEST_SUITE_P(Catalogue,
                         EveryModel,
                         ::testing::ValuesIn(models().begin(), models().end()),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace concertina
