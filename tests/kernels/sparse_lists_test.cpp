// SPDX-License-Identifier: Apache-2.0
#include "kernels/sparse_lists.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "tests/kernels/inputs.h"
#include "tests/kernels/lists.h"

namespace concertina::kernels {
namespace {

using testing::ElementsAre;

TEST(ScatterMean, AddsTheListsAndDividesByTheirNumber) {
    const auto first = wordsOf({0, 3}, {2, 8});
    const auto second = wordsOf({1, 3, 4}, {1, 4, -6});
    const SparseList lists[] = {{first.data(), 2}, {second.data(), 3}};
    std::vector<float> mean(6, -99);
    ASSERT_TRUE(scatterMean(lists, 2, mean.data(), 6, {}).ok);
    EXPECT_THAT(mean, ElementsAre(1, 0.5F, 0, 6, -3, 0));
}

TEST(ScatterMean, ListsMayBeEmptyOrHoldEverything) {
    const std::vector<float> all{2, -4, 6};
    const auto some = wordsOf({1}, {1});
    const SparseList lists[] = {
        {nullptr, 0}, {all.data(), 3, true}, {some.data(), 1}, {nullptr, 0}};
    std::vector<float> mean(3, -99);
    ASSERT_TRUE(scatterMean(lists, 4, mean.data(), 3, {}).ok);
    EXPECT_THAT(mean, ElementsAre(0.5F, -0.75F, 1.5F));
    ASSERT_TRUE(scatterMean(lists, 1, mean.data(), 3, {}).ok);
    EXPECT_THAT(mean, ElementsAre(0, 0, 0));
    ASSERT_TRUE(scatterMean(lists, 2, nullptr, 0, {}).ok);
}

std::string messageFor(const std::vector<std::int32_t>& indices) {
    const auto good = wordsOf({0, 1}, {1, 1});
    const auto words = wordsOf(indices, std::vector<float>(indices.size(), 1));
    const SparseList lists[] = {{good.data(), 2},
                                {words.data(), static_cast<std::int64_t>(indices.size())}};
    std::vector<float> mean(6, 0);
    const KernelStatus status = scatterMean(lists, 2, mean.data(), 6, {});
    EXPECT_FALSE(status.ok);
    return status.message;
}

TEST(ScatterMean, AnIndexOutsideTheTensorIsRefusedByName) {
    for (const std::int32_t bad : {6, -1, std::numeric_limits<std::int32_t>::max(),
                                   std::numeric_limits<std::int32_t>::min()}) {
        const std::string expected = "the sparse list of rank 1 names element " +
                                     std::to_string(bad) +
                                     " at position 1, but the tensor has elements 0 to 5";
        EXPECT_EQ(messageFor({2, bad}), expected);
        EXPECT_EQ(messageFor({2, bad, 3}), expected);
    }
}

TEST(ScatterMean, IndicesThatDoNotAscendAreRefusedByName) {
    EXPECT_EQ(messageFor({0, 3, 3}),
              "the sparse list of rank 1 names element 3 at position 2 after element 3, but "
              "elements are named in ascending order");
    EXPECT_EQ(messageFor({4, 2}),
              "the sparse list of rank 1 names element 2 at position 1 after element 4, but "
              "elements are named in ascending order");
}

TEST(ReadSparseMessage, TellsAListFromAllValuesByItsLength) {
    const int place = 0;
    SparseList list{};
    ASSERT_TRUE(readSparseMessage(&place, 16, 5, 0, list).ok);
    EXPECT_EQ(list.start, &place);
    EXPECT_EQ(list.kept, 2);
    EXPECT_FALSE(list.isDense);
    ASSERT_TRUE(readSparseMessage(&place, 20, 5, 0, list).ok);
    EXPECT_EQ(list.kept, 5);
    EXPECT_TRUE(list.isDense);
    ASSERT_TRUE(readSparseMessage(&place, 16, 4, 0, list).ok);
    EXPECT_TRUE(list.isDense);
    ASSERT_TRUE(readSparseMessage(&place, 0, 5, 0, list).ok);
    EXPECT_EQ(list.kept, 0);
    EXPECT_FALSE(list.isDense);
}

TEST(ReadSparseMessage, RefusesALengthThatNeitherFormHas) {
    SparseList list{};
    for (const std::int64_t bytes : {-8, 4, 12, 24}) {
        EXPECT_EQ(readSparseMessage(nullptr, bytes, 5, 3, list).message,
                  "the sparse message of rank 3 has " + std::to_string(bytes) +
                      " bytes, but for 5 elements it has 20, or fewer and a multiple of 8");
    }
}

TEST(ClearListed, ZeroesTheNamedElementsOrAll) {
    const auto words = wordsOf({1, 2}, {5, 6});
    std::vector<float> target{1, 2, 3, 4};
    ASSERT_TRUE(clearListed({words.data(), 2}, target.data(), 4, {}).ok);
    EXPECT_THAT(target, ElementsAre(1, 0, 0, 4));
    ASSERT_TRUE(clearListed({words.data(), 4, true}, target.data(), 4, {}).ok);
    EXPECT_THAT(target, ElementsAre(0, 0, 0, 0));
}

TEST(PlaceListed, PutsTheValuesAtTheirElements) {
    const auto words = wordsOf({1, 3}, {5, -6});
    std::vector<float> target{1, 2, 3, 4};
    ASSERT_TRUE(placeListed({words.data(), 2}, target.data(), {}).ok);
    EXPECT_THAT(target, ElementsAre(1, 5, 3, -6));
}

}  // namespace
}  // namespace concertina::kernels
