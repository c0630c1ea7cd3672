// SPDX-License-Identifier: Apache-2.0
// The real files of the Debian package, and small ones by hand.
#include <gtest/gtest.h>

#include <stdexcept>

#include "core/base/error.h"
#include "core/data/dataset.h"
#include "tests/support/data_choice.h"
#include "tests/support/data_files.h"
#include "tests/support/temp_folder.h"

namespace concertina {
namespace {

Choice choice(std::int64_t train, std::int64_t test) {
    Choice data = defaultRunSpec().data;
    data.options["train_samples"] = train;
    data.options["test_samples"] = test;
    return data;
}

TEST(FashionMnist, FirstSamplesHaveTheirKnownLabelsAndPixels) {
    const auto data = makeDataset(choice(0, 0), 1);
    EXPECT_EQ(data->size(Split::Train), 60000);
    EXPECT_EQ(data->size(Split::Test), 10000);
    const std::vector<std::int64_t> indices{0, 1, 2};
    const Batch batch = data->batch(Split::Train, indices);
    EXPECT_EQ(batch.inputs.sizes().vec(), (std::vector<std::int64_t>{3, 1, 28, 28}));
    EXPECT_EQ(batch.targets[0].item<std::int64_t>(), 9);  // ankle boot, T-shirt, T-shirt
    EXPECT_EQ(batch.targets[1].item<std::int64_t>(), 0);
    EXPECT_EQ(batch.targets[2].item<std::int64_t>(), 0);
    const auto pixel = batch.inputs[0][0][0][0].item<float>();  // a black corner
    EXPECT_FLOAT_EQ(pixel, -0.2860F / 0.3530F);
    EXPECT_FLOAT_EQ(batch.inputs.max().item<float>(), (1 - 0.2860F) / 0.3530F);
}

TEST(FashionMnist, TrainingImagesHaveMeanZeroAndDeviationOne) {
    const auto data = makeDataset(choice(0, 1), 1);
    std::vector<std::int64_t> indices(60000);
    for (std::size_t i = 0; i < indices.size(); ++i) {
        indices[i] = static_cast<std::int64_t>(i);
    }
    const at::Tensor inputs = data->batch(Split::Train, indices).inputs;
    EXPECT_NEAR(inputs.mean(at::kDouble).item<double>(), 0, 2e-3);
    EXPECT_NEAR(inputs.std().item<double>(), 1, 2e-3);
}

TEST(FashionMnist, LimitsAndOrderAreKept) {
    const auto data = makeDataset(choice(100, 50), 1);
    EXPECT_EQ(data->size(Split::Train), 100);
    EXPECT_EQ(data->size(Split::Test), 50);
    const std::vector<std::int64_t> forth{3, 7}, back{7, 3};
    const Batch a = data->batch(Split::Train, forth), b = data->batch(Split::Train, back);
    EXPECT_TRUE(a.inputs[0].equal(b.inputs[1]));
    EXPECT_FALSE(a.inputs[0].equal(a.inputs[1]));
    const std::vector<std::int64_t> beyond{100}, negative{-1};
    EXPECT_THROW(data->batch(Split::Train, beyond), std::out_of_range);
    EXPECT_THROW(data->batch(Split::Test, negative), std::out_of_range);
}

TEST(FashionMnist, MissingFolderIsNamed) {
    Choice data = choice(0, 0);
    data.options["path"] = std::string("/no/such/folder");
    try {
        makeDataset(data, 1);
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Usage);
        EXPECT_NE(std::string(error.what()).find("/no/such/folder"), std::string::npos);
    }
}

TEST(IdxSet, PixelsOfAnyFolderAreNormalizedByTheirOwnMeanAndDeviation) {
    // Two 1x2 training images: 0, 255 and 0, 255: mean 1/2, deviation 1/2.
    const TempFolder folder;
    writeFile(folder.path() / "train-images-idx3-ubyte",
              idxOf({2, 1, 2}).substr(0, 16) + std::string("\x00\xff\x00\xff", 4));
    writeFile(folder.path() / "train-labels-idx1-ubyte", idxOf({2}, 1));
    writeFile(folder.path() / "t10k-images-idx3-ubyte", idxOf({1, 1, 2}, '\x33'));  // 51
    writeFile(folder.path() / "t10k-labels-idx1-ubyte", idxOf({1}, 0));
    const auto data = makeDataset(dataChoice("idx", {{"path", folder.path().string()}}), 1);
    EXPECT_EQ(data->form().inputShape, (Shape{1, 1, 2}));
    EXPECT_EQ(data->form().outputs, 10);
    const Batch train = data->batch(Split::Train, std::vector<std::int64_t>{0, 1});
    EXPECT_EQ(train.inputs.flatten()[0].item<float>(), -1);
    EXPECT_EQ(train.inputs.flatten()[1].item<float>(), 1);
    EXPECT_EQ(train.targets[1].item<std::int64_t>(), 1);
    const Batch test = data->batch(Split::Test, std::vector<std::int64_t>{0});
    EXPECT_FLOAT_EQ(test.inputs.flatten()[0].item<float>(), -0.6F);  // (0.2 - 0.5) / 0.5
}

}  // namespace
}  // namespace concertina
