// SPDX-License-Identifier: Apache-2.0
// Images by hand: moved, mirrored, turned; and how often each happens.
#include "core/data/augmentation.h"

#include <gmock/gmock.h>

#include <map>
#include <vector>

namespace concertina {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using Bytes = std::vector<std::uint8_t>;

Bytes placed(const Bytes& source, const ImageSize& size, const Placement& placement) {
    Bytes target(source.size(), 99);
    place(source.data(), target.data(), size, placement);
    return target;
}

const ImageSize kSquare{1, 3, 3};
const Bytes kDigits{1, 2, 3,  //
                    4, 5, 6,  //
                    7, 8, 9};

TEST(Augmentation, NothingDoneIsTheSameImage) { EXPECT_EQ(placed(kDigits, kSquare, {}), kDigits); }

TEST(Augmentation, AMovedImageLeavesBlackBehind) {
    EXPECT_THAT(placed(kDigits, kSquare, {.down = 1, .right = -1}),
                ElementsAre(0, 0, 0, 2, 3, 0, 5, 6, 0));
    EXPECT_THAT(placed(kDigits, kSquare, {.down = -3}), ElementsAreArray(Bytes(9, 0)));
}

TEST(Augmentation, MirroringComesAfterMoving) {
    EXPECT_THAT(placed(kDigits, kSquare, {.mirrored = true}),
                ElementsAre(3, 2, 1, 6, 5, 4, 9, 8, 7));
    EXPECT_THAT(placed(kDigits, kSquare, {.right = 1, .mirrored = true}),
                ElementsAre(2, 1, 0, 5, 4, 0, 8, 7, 0));
}

TEST(Augmentation, TurningIsCounterClockwiseAboutTheMiddle) {
    EXPECT_THAT(placed(kDigits, kSquare, {.turnedDegrees = 90}),
                ElementsAre(3, 6, 9, 2, 5, 8, 1, 4, 7));
    EXPECT_THAT(placed(kDigits, kSquare, {.turnedDegrees = -90}),
                ElementsAre(7, 4, 1, 8, 5, 2, 9, 6, 3));
    EXPECT_THAT(placed(kDigits, kSquare, {.turnedDegrees = 180}),
                ElementsAre(9, 8, 7, 6, 5, 4, 3, 2, 1));
    // A row of three turned upright: its ends leave the image.
    EXPECT_THAT(placed({1, 2, 3}, {1, 1, 3}, {.turnedDegrees = 90}), ElementsAre(0, 2, 0));
}

TEST(Augmentation, ChannelsMoveTogether) {
    EXPECT_THAT(placed({1, 2, 3, 4}, {2, 1, 2}, {.right = 1}), ElementsAre(0, 1, 0, 3));
}

TEST(Augmentation, DrawsDependOnSeedEpochAndSample) {
    const Augmentation augmentation{4, true, 15};
    const auto draw = [&](std::uint64_t seed, int epoch, std::int64_t sample) {
        const Placement p = drawPlacement(augmentation, seed, epoch, sample);
        return std::tuple(p.down, p.right, p.mirrored, p.turnedDegrees);
    };
    EXPECT_EQ(draw(1, 2, 3), draw(1, 2, 3));
    EXPECT_NE(draw(1, 2, 3), draw(2, 2, 3));
    EXPECT_NE(draw(1, 2, 3), draw(1, 3, 3));
    EXPECT_NE(draw(1, 2, 3), draw(1, 2, 4));
}

TEST(Augmentation, EveryMovementIsEquallyLikely) {
    // 9,000 draws of 9 movements each way: 1,000 of each expected, deviation 29.8; six of them
    // bound the chance of a false alarm below 1e-7, and the seed is fixed.
    const Augmentation augmentation{4, true, 10};
    std::map<std::int64_t, int> down, right;
    int mirrored = 0;
    double least = 0, most = 0;
    for (int sample = 0; sample < 9000; ++sample) {
        const Placement placement = drawPlacement(augmentation, 1, 0, sample);
        ++down[placement.down];
        ++right[placement.right];
        mirrored += placement.mirrored ? 1 : 0;
        least = std::min(least, placement.turnedDegrees);
        most = std::max(most, placement.turnedDegrees);
    }
    ASSERT_EQ(down.size(), 9U);
    ASSERT_EQ(right.size(), 9U);
    for (std::int64_t move = -4; move <= 4; ++move) {
        EXPECT_NEAR(down[move], 1000, 180);
        EXPECT_NEAR(right[move], 1000, 180);
    }
    EXPECT_NEAR(mirrored, 4500, 285);  // six deviations of 47.4
    EXPECT_GT(least, -10);
    EXPECT_LT(least, -9.9);
    EXPECT_LT(most, 10);
    EXPECT_GT(most, 9.9);
}

TEST(Augmentation, SwitchedOffDrawsNothingThatShows) {
    const Placement placement = drawPlacement({}, 1, 2, 3);
    EXPECT_TRUE(Augmentation{}.isOff());
    EXPECT_EQ(placement.down, 0);
    EXPECT_EQ(placement.right, 0);
    EXPECT_FALSE(placement.mirrored);
    EXPECT_EQ(placement.turnedDegrees, 0);
}

}  // namespace
}  // namespace concertina
