// SPDX-License-Identifier: Apache-2.0
// CIFAR bytes as a network sees them, normalized and augmented.
#include <gtest/gtest.h>

#include "core/data/augmentation.h"
#include "core/data/dataset.h"
#include "tests/support/data_choice.h"
#include "tests/support/data_files.h"
#include "tests/support/temp_folder.h"

namespace concertina {
namespace {

constexpr float kRedBlack = (0 - 0.4914F) / 0.2023F;

class Cifar10 : public ::testing::Test {
 protected:
    Cifar10() {
        writeCifar10(folder_.path());
        // Sample 10,001, the second of the second file: class 1, red 255 in row 5, column 7.
        patchFile(folder_.path() / "data_batch_2.bin", 3073 + 1 + 5 * 32 + 7, "\xff");
    }
    std::unique_ptr<Dataset> make(const Settings& changes) const {
        Settings all = changes;
        all["path"] = folder_.path().string();
        return makeDataset(dataChoice("cifar10", all), 11);
    }
    TempFolder folder_;
    const std::vector<std::int64_t> sample_{10001};
};

TEST_F(Cifar10, BytesAreNormalizedByChannel) {
    const auto data = make({{"pad_crop", std::int64_t{0}}, {"flip", false}});
    EXPECT_EQ(data->size(Split::Train), 50000);
    EXPECT_EQ(data->size(Split::Test), 10000);
    const Batch batch = data->batch(Split::Train, sample_);
    EXPECT_EQ(batch.targets.item<std::int64_t>(), 1);
    const at::Tensor image = batch.inputs[0];
    EXPECT_FLOAT_EQ(image[0][5][7].item<float>(), (1 - 0.4914F) / 0.2023F);
    EXPECT_FLOAT_EQ(image[0][5][8].item<float>(), kRedBlack);
    EXPECT_FLOAT_EQ(image[1][5][7].item<float>(), (0 - 0.4822F) / 0.1994F);
    EXPECT_FLOAT_EQ(image[2][5][7].item<float>(), (0 - 0.4465F) / 0.2010F);
}

TEST_F(Cifar10, TheBrightPixelGoesWhereTheDrawSays) {
    const auto data = make({});  // pad_crop 4, flip
    bool moved = false, mirrored = false;
    for (int epoch = 0; epoch < 8; ++epoch) {
        const Placement drawn = drawPlacement({4, true, 0}, 11, epoch, 10001);
        const at::Tensor red = data->batch(Split::Train, sample_, epoch).inputs[0][0];
        const std::int64_t row = 5 + drawn.down, column = 7 + drawn.right;
        EXPECT_EQ(red.argmax().item<std::int64_t>(),
                  row * 32 + (drawn.mirrored ? 31 - column : column));
        moved = moved || drawn.down != 0;
        mirrored = mirrored || drawn.mirrored;
    }
    EXPECT_TRUE(moved);
    EXPECT_TRUE(mirrored);
}

TEST_F(Cifar10, LimitsTakeTheFirstSamples) {
    const auto data =
        make({{"train_samples", std::int64_t{10002}}, {"test_samples", std::int64_t{3}}});
    EXPECT_EQ(data->size(Split::Train), 10002);
    EXPECT_EQ(data->size(Split::Test), 3);
    EXPECT_EQ(data->batch(Split::Train, sample_).targets.item<std::int64_t>(), 1);
}

}  // namespace
}  // namespace concertina
