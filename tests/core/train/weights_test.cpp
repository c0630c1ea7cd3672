// SPDX-License-Identifier: Apache-2.0
#include "core/train/weights.h"

#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include "tests/support/thread_ranks.h"

namespace concertina {
namespace {

using test::runRanks;
using test::ThreadRank;

/// A parameter and a running statistic, both rank + 1 everywhere, and a counter.
struct Tiny : torch::nn::Module {
    explicit Tiny(int rank) {
        weight = register_parameter("weight", at::full({3, 2}, rank + 1.0F));
        mean = register_buffer("mean", at::full({2}, rank + 1.0F));
        count = register_buffer("count", at::full({1}, rank + 5, at::kLong));
    }
    at::Tensor weight, mean, count;
};

TEST(Weights, EveryRankTakesRankZeros) {
    runRanks(3, [](ThreadRank& self) {
        Tiny model(self.rank);
        Collectives control(self.group("control"), 3, self.slot);
        broadcastWeights(model, control);
        EXPECT_TRUE(model.weight.eq(1.0F).all().item<bool>());
        EXPECT_TRUE(model.mean.eq(1.0F).all().item<bool>());
        EXPECT_EQ(model.count.item<std::int64_t>(), 5);
        EXPECT_EQ(control.count(Traffic::Buffer).payloadBytes, 24 + 8 + 8);
    });
}

TEST(Weights, RunningStatisticsBecomeTheirMeanAndCountersStay) {
    runRanks(3, [](ThreadRank& self) {
        Tiny model(self.rank);
        Collectives control(self.group("control"), 3, self.slot);
        averageBuffers(model, control);
        EXPECT_TRUE(model.mean.eq(2.0F).all().item<bool>());
        EXPECT_EQ(model.count.item<std::int64_t>(), self.rank + 5);
    });
}

TEST(Weights, HashIsSha256OfTheBytesAndTellsOneBit) {
    Tiny model(0);
    // sha256 of six little-endian floats 1.0f (0000803f), by sha256sum.
    EXPECT_EQ(weightsHash(model),
              "f46913286d895f62d646314f400fc3d7a543cf34eb4ae56df87f43dc4582a36b");
    Tiny other(0);
    other.weight.detach()[2][1] = std::nextafter(1.0F, 2.0F);
    EXPECT_NE(weightsHash(other), weightsHash(model));
}

TEST(Weights, DifferenceBetweenRanksIsFoundAndNamed) {
    runRanks(3, [](ThreadRank& self) {
        Collectives control(self.group("control"), 3, self.slot);
        const std::string same(64, 'a');
        EXPECT_NO_THROW(requireEqualOnAllRanks(same, control));
        try {
            requireEqualOnAllRanks(self.rank == 2 ? std::string(64, 'b') : same, control);
            FAIL() << "not found";
        } catch (const std::logic_error& error) {
            EXPECT_NE(std::string(error.what()).find("ranks 2"), std::string::npos);
        }
    });
}

TEST(Weights, ParametersComeInOrderWithFullNames) {
    Tiny model(0);
    const NamedParameters parameters = parametersOf(model);
    EXPECT_EQ(parameters.names, std::vector<std::string>{"weight"});
    EXPECT_TRUE(parameters.tensors.at(0).is_same(model.weight));
}

}  // namespace
}  // namespace concertina
