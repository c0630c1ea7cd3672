// SPDX-License-Identifier: Apache-2.0
#include <ATen/ops/cat.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/catalogue/datasets/synthetic.h"
#include "core/data/dataset.h"
#include "tests/support/data_choice.h"

namespace concertina {
namespace {

Batch wholeTestSet(const Dataset& data) {
    std::vector<std::int64_t> indices(static_cast<std::size_t>(data.size(Split::Test)));
    std::iota(indices.begin(), indices.end(), 0);
    return data.batch(Split::Test, indices);
}

TEST(Mixture, TheBestAccuracyOfTwoCloudsIsPhiOfHalfTheirDistance) {
    EXPECT_NEAR(bestMixtureAccuracy(2, 0), 0.5, 1e-6);
    EXPECT_NEAR(bestMixtureAccuracy(2, 2), 0.8413447460685429, 1e-6);
    EXPECT_NEAR(bestMixtureAccuracy(5, 0), 0.2, 1e-6);
    EXPECT_NEAR(bestMixtureAccuracy(4, 100), 1, 1e-6);
}

TEST(Mixture, TheBestClassifierReachesTheBestAccuracy) {
    // Largest of the first `classes` coordinates; 20,000 samples, and at most 0.5 / sqrt(20000) =
    // 0.0035 deviation: six of them.
    for (const std::int64_t classes : {2, 7}) {
        const auto data = makeDataset(
            dataChoice(
                "mixture",
                {{"classes", classes}, {"distance", 2.5}, {"test_samples", std::int64_t{20000}}}),
            1);
        const Batch all = wholeTestSet(*data);
        const at::Tensor right =
            all.inputs.slice(1, 0, classes).argmax(1).eq(all.targets).to(at::kDouble);
        EXPECT_NEAR(right.mean().item<double>(), bestMixtureAccuracy(classes, 2.5), 0.021);
    }
}

TEST(Mixture, SamplesComeFromTheDataSeedAndTrainingOnesAreOthers) {
    const auto batchOf = [](std::int64_t dataSeed, std::uint64_t runSeed, Split split) {
        const auto data = makeDataset(dataChoice("mixture", {{"data_seed", dataSeed}}), runSeed);
        return data->batch(split, std::vector<std::int64_t>{0, 1, 2}).inputs;
    };
    const at::Tensor first = batchOf(1, 1, Split::Train);
    EXPECT_TRUE(first.equal(batchOf(1, 2, Split::Train)));
    EXPECT_FALSE(first.equal(batchOf(2, 1, Split::Train)));
    EXPECT_FALSE(first.equal(batchOf(1, 1, Split::Test)));
}

TEST(Mixture, MoreCloudsThanAxesAreRefused) {
    const DatasetDescriptor& mixture = *findDataset("mixture");
    const auto problems =
        mixture.problems(dataChoice("mixture", {{"features", std::int64_t{3}}}).options);
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_EQ(problems[0], "data.classes is 4, allowed: at most data.features, 3");
}

}  // namespace
}  // namespace concertina
