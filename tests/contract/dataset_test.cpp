// SPDX-License-Identifier: Apache-2.0
// What every data set of the catalogue must do, on small files in its true format. A new row needs
// its files in sampleOf().
#include <gmock/gmock.h>

#include <numeric>
#include <set>
#include <stdexcept>

#include "core/base/error.h"
#include "core/data/dataset.h"
#include "core/data/sharded_order.h"
#include "tests/support/data_choice.h"
#include "tests/support/data_files.h"
#include "tests/support/temp_folder.h"

namespace concertina {
namespace {

namespace fs = std::filesystem;

TEST(Registries, DataSetsHaveTheNamesOfTheCatalogue) {
    std::vector<std::string> names;
    for (const DatasetDescriptor& data : datasets()) {
        names.push_back(data.name);
    }
    EXPECT_THAT(datasetFactoryNames(), ::testing::UnorderedElementsAreArray(names));
}

void writeMnist(const fs::path& folder, std::uint32_t train, std::uint32_t test) {
    writeFile(folder / "train-images-idx3-ubyte", idxOf({train, 28, 28}, 'x'));
    writeFile(folder / "train-labels-idx1-ubyte", idxOf({train}, 1));
    writeFile(folder / "t10k-images-idx3-ubyte", idxOf({test, 28, 28}, 'y'));
    writeFile(folder / "t10k-labels-idx1-ubyte", idxOf({test}, 2));
}

/// The data set with files in `folder`, and with few samples.
Choice sampleOf(const std::string& name, const fs::path& folder) {
    Settings changes;
    if (findDataset(name)->parameters.front().name == "path") {
        changes["path"] = folder.string();
    }
    if (name == "cifar10") {
        writeCifar10(folder);
    } else if (name == "cifar100") {
        writeCifar100(folder);
    } else if (name == "idx") {
        writeMnist(folder, 20, 12);
    } else if (name == "text") {
        writeFile(folder / "wiki.train.tokens", "one two three four\nfive six seven\neight nine\n");
        writeFile(folder / "wiki.test.tokens", "two one ten nine eight\n");
        changes["window"] = std::int64_t{2};
    } else if (name == "mnist" || name == "fashion-mnist") {
        writeMnist(folder, 60000, 10000);
    }
    return dataChoice(name, changes);
}

class EveryDataset : public ::testing::TestWithParam<DatasetDescriptor> {
 protected:
    EveryDataset() : choice_(sampleOf(GetParam().name, folder_.path())) {}

    std::unique_ptr<Dataset> make(std::uint64_t seed = 1) const {
        return makeDataset(choice_, seed);
    }

    TempFolder folder_;
    Choice choice_;
};

std::vector<std::int64_t> firstOf(std::int64_t count) {
    std::vector<std::int64_t> indices(static_cast<std::size_t>(count));
    std::iota(indices.begin(), indices.end(), 0);
    return indices;
}

TEST_P(EveryDataset, HasTheFormThatTheCatalogueSays) {
    ASSERT_THAT(GetParam().problems(choice_.options), ::testing::IsEmpty());
    const DataForm said = GetParam().formOf(choice_.options);
    const auto data = make();
    const DataForm& form = data->form();
    EXPECT_EQ(form.task, said.task);
    EXPECT_EQ(form.inputShape, said.inputShape);
    EXPECT_EQ(form.outputs, said.outputs);
    EXPECT_EQ(data->size(Split::Train), said.trainSamples);
    EXPECT_EQ(data->size(Split::Test), said.testSamples);
}

TEST_P(EveryDataset, BatchesHaveTheirShapesAndTypes) {
    const auto data = make();
    const DataForm& form = data->form();
    for (const Split split : {Split::Train, Split::Test}) {
        const std::int64_t count = std::min<std::int64_t>(2, data->size(split));
        const Batch batch = data->batch(split, firstOf(count));
        std::vector<std::int64_t> shape{count};
        shape.insert(shape.end(), form.inputShape.begin(), form.inputShape.end());
        EXPECT_EQ(batch.inputs.sizes().vec(), shape);
        const bool text = form.task == Task::Tokens;
        EXPECT_EQ(batch.inputs.scalar_type(), text ? at::kLong : at::kFloat);
        if (form.task == Task::Values) {
            EXPECT_EQ(batch.targets.scalar_type(), at::kFloat);
            EXPECT_EQ(batch.targets.sizes().vec(),
                      (std::vector<std::int64_t>{count, form.outputs}));
            continue;
        }
        EXPECT_EQ(batch.targets.scalar_type(), at::kLong);
        EXPECT_EQ(batch.targets.sizes().vec(), text ? shape : std::vector<std::int64_t>{count});
        EXPECT_GE(batch.targets.min().item<std::int64_t>(), 0);
        EXPECT_LT(batch.targets.max().item<std::int64_t>(), form.outputs);
    }
}

TEST_P(EveryDataset, IndicesOutOfRangeAreErrors) {
    const auto data = make();
    for (const Split split : {Split::Train, Split::Test}) {
        const std::vector<std::int64_t> beyond{data->size(split)}, negative{-1};
        EXPECT_THROW(data->batch(split, beyond), std::out_of_range);
        EXPECT_THROW(data->batch(split, negative), std::out_of_range);
        EXPECT_EQ(data->batch(split, {}).inputs.size(0), 0);
    }
}

TEST_P(EveryDataset, ASampleDependsOnSeedEpochAndItselfOnly) {
    const auto data = make(5), again = make(5);
    const std::vector<std::int64_t> both{0, 1}, back{1, 0};
    for (const int epoch : {0, 3}) {
        const Batch forth = data->batch(Split::Train, both, epoch);
        const Batch reversed = again->batch(Split::Train, back, epoch);
        EXPECT_TRUE(forth.inputs[0].equal(reversed.inputs[1]));
        EXPECT_TRUE(forth.inputs[1].equal(reversed.inputs[0]));
        EXPECT_TRUE(forth.targets[1].equal(reversed.targets[0]));
    }
    const std::vector<std::int64_t> first{0};
    EXPECT_TRUE(data->batch(Split::Test, first, 0)
                    .inputs.equal(make(6)->batch(Split::Test, first, 3).inputs))
        << "test samples are never augmented";
}

TEST_P(EveryDataset, MissingFilesAreNamedByTheCheckAndByTheLoader) {
    if (!choice_.options.contains("path")) {
        GTEST_SKIP() << "has no files";
    }
    choice_.options["path"] = std::string("/no/such/folder");
    const auto problems = GetParam().problems(choice_.options);
    ASSERT_FALSE(problems.empty());
    for (const std::string& problem : problems) {
        EXPECT_THAT(problem, ::testing::StartsWith("/no/such/folder/"));
    }
    EXPECT_THROW(make(), Error);
}

INSTANTIATE_TEST_SUITE_P(Catalogue,
                         EveryDataset,
                         ::testing::ValuesIn(datasets().begin(), datasets().end()),
                         [](const auto& row) {
                             std::string name = row.param.name;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

}  // namespace
}  // namespace concertina
