// SPDX-License-Identifier: Apache-2.0
// A tiny text by hand: windows, what comes after them, and streams that go on from step to step.
#include <gmock/gmock.h>

#include "core/data/dataset.h"
#include "core/data/sharded_order.h"
#include "tests/support/data_choice.h"
#include "tests/support/data_files.h"
#include "tests/support/temp_folder.h"

namespace concertina {
namespace {

using Numbers = std::vector<std::int64_t>;

Numbers numbersOf(const at::Tensor& tensor) {
    const at::Tensor flat = tensor.flatten().contiguous();
    return {flat.const_data_ptr<std::int64_t>(),
            flat.const_data_ptr<std::int64_t>() + flat.numel()};
}

class Text : public ::testing::Test {
 protected:
    Text() {
        // 0 1 2 ... 12 are words a ... m, 13 is <eos>: 14 words, 6 windows of 2, one word over.
        writeFile(folder_.path() / "wiki.train.tokens", "a b c d e f g h i j k l m\n");
        writeFile(folder_.path() / "wiki.test.tokens", "b a z\n");
        data_ = makeDataset(
            dataChoice("text", {{"path", folder_.path().string()}, {"window", std::int64_t{2}}}),
            1);
    }
    TempFolder folder_;
    std::unique_ptr<Dataset> data_;
};

TEST_F(Text, TargetsAreTheNextWords) {
    EXPECT_EQ(data_->size(Split::Train), 6);
    const Batch batch = data_->batch(Split::Train, Numbers{0, 5});
    EXPECT_EQ(numbersOf(batch.inputs), (Numbers{0, 1, 10, 11}));
    EXPECT_EQ(numbersOf(batch.targets), (Numbers{1, 2, 11, 12}));
}

TEST_F(Text, WordsThatTrainingDoesNotHaveAreUnknown) {
    const Batch batch = data_->batch(Split::Test, Numbers{0});
    EXPECT_EQ(numbersOf(batch.inputs), (Numbers{1, 0}));
    EXPECT_EQ(numbersOf(batch.targets), (Numbers{0, 14}));
}

TEST_F(Text, EachPlaceInTheBatchGoesOnWhereItEndedOnAnyNumberOfRanks) {
    // Two streams: windows 0 1 2 and 3 4 5.
    for (const auto& [batch, ranks] : {std::pair(2, 1), std::pair(1, 2)}) {
        const ShardLayout layout = streamLayout({data_->size(Split::Train), batch, ranks});
        ASSERT_EQ(layout.stepsPerEpoch(), 3);
        const auto order = streamOrder(layout);
        for (std::int64_t step = 0; step < 3; ++step) {
            Numbers seen;
            for (int rank = 0; rank < ranks; ++rank) {
                const auto shard = shardOf(order, layout, rank, step);
                const Numbers inputs = numbersOf(data_->batch(Split::Train, shard).inputs);
                seen.insert(seen.end(), inputs.begin(), inputs.end());
            }
            EXPECT_EQ(seen, (Numbers{2 * step, 2 * step + 1, 6 + 2 * step, 7 + 2 * step}));
        }
    }
}

}  // namespace
}  // namespace concertina
