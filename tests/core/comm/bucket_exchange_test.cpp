// SPDX-License-Identifier: Apache-2.0
// One bucket through real collectives, with inputs whose results are exact.
#include "core/comm/bucket_exchange.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/thread_ranks.h"

namespace concertina {
namespace {

using test::runRanks;
using test::ThreadRank;

RunSpec specOf(const std::string& compressor, std::vector<Settings> levels) {
    RunSpec spec = defaultRunSpec();
    spec.compress.name = compressor;
    spec.compress.options = {{"error_feedback", true}};
    spec.levels = std::move(levels);
    return spec;
}

/// A weight of 40 x 50 and a bias of 40: layers 0 and 1 of one bucket.
struct Rig {
    Rig(ThreadRank& self, const RunSpec& spec)
        : rank(self.rank),
          link(self.group("gradients"), self.worldSize, self.slot),
          layers(
              makeLayers(spec, {"w", "b"}, {at::zeros({40, 50}), at::zeros({40})}, self.worldSize)),
          levels(spec.levels),
          memory(2),
          compressor(makeCompressor(spec.compress, {self.rank, self.worldSize, 1})),
          exchange({layers, levels, *compressor, memory, link, true}) {}

    /// Gradients in, means out.
    std::vector<int> step(at::Tensor& weight, at::Tensor& bias) {
        buffer = at::cat({weight.flatten(), bias});
        const std::vector<BucketSlice> slices{{0, buffer.narrow(0, 0, 2000)},
                                              {1, buffer.narrow(0, 2000, 40)}};
        auto nonFinite = exchange.run(slices, steps++);
        memory.commit();
        weight = buffer.narrow(0, 0, 2000);
        bias = buffer.narrow(0, 2000, 40);
        return nonFinite;
    }

    int rank;
    Collectives link;
    std::vector<Layer> layers;
    std::vector<Settings> levels;
    ErrorMemory memory;
    std::unique_ptr<Compressor> compressor;
    BucketExchange exchange;
    at::Tensor buffer;
    std::int64_t steps = 0;
};

at::Tensor ramp(int rank) {  // multiples of 1/4: sums and means over 2 and 4 ranks are exact
    return (at::arange(2000, at::kFloat) - 1000.0F) * (0.25F * static_cast<float>(rank + 1));
}

class ExchangeOfRanks : public ::testing::TestWithParam<int> {};

TEST_P(ExchangeOfRanks, DenseBucketBecomesTheMean) {
    const int ranks = GetParam();
    runRanks(ranks, [&](ThreadRank& self) {
        Rig rig(self, specOf("none", {Settings{}}));
        at::Tensor weight = ramp(self.rank);
        at::Tensor bias = at::full({40}, static_cast<float>(self.rank));
        EXPECT_TRUE(rig.step(weight, bias).empty());
        const float factor = 0.25F * static_cast<float>(ranks + 1) / 2.0F;
        const at::Tensor expected = (at::arange(2000, at::kFloat) - 1000.0F) * factor;
        EXPECT_TRUE(weight.equal(expected));
        EXPECT_TRUE(bias.eq(static_cast<float>(ranks - 1) / 2.0F).all().item<bool>());
    });
}

TEST_P(ExchangeOfRanks, BytesShownAreTheBytesHandedOver) {
    const int ranks = GetParam();
    const std::vector<std::pair<std::string, std::vector<Settings>>> cases{
        {"none", {Settings{}}},
        {"topk", {{{"ratio", 0.1}}, {{"ratio", 0.001}}}},
        {"powersgd", {{{"rank", std::int64_t{4}}}, {{"rank", std::int64_t{1}}}}}};
    for (const auto& [name, levels] : cases) {
        for (std::size_t level = 0; level < levels.size(); ++level) {
            runRanks(ranks, [&](ThreadRank& self) {
                Rig rig(self, specOf(name, levels));
                rig.layers[0].level = static_cast<int>(level);
                at::Tensor weight = ramp(self.rank), bias = at::full({40}, 1.0F);
                rig.step(weight, bias);
                const TrafficCount& counted = rig.link.count(Traffic::Gradient);
                const auto shown = rig.layers[0].payloadBytes + rig.layers[1].payloadBytes;
                EXPECT_EQ(shown, counted.payloadBytes) << name << " level " << level;
                EXPECT_EQ(rig.layers[0].payloadBytes, rig.layers[0].plan().payloadBytes());
                EXPECT_DOUBLE_EQ(rig.layers[0].wireBytes + rig.layers[1].wireBytes,
                                 counted.wireBytes);
            });
        }
    }
}

TEST_P(ExchangeOfRanks, TopkSendsTheLargestAndRemembersTheRest) {
    const int ranks = GetParam();
    runRanks(ranks, [&](ThreadRank& self) {
        Rig rig(self, specOf("topk", {{{"ratio", 0.01}}}));  // 20 of 2000
        at::Tensor weight = ramp(self.rank), bias = at::zeros({40});
        rig.step(weight, bias);
        if (!rig.layers[0].plan().dense) {
            EXPECT_LE(weight.count_nonzero().item<std::int64_t>(), 20 * ranks);
        }
        // Sum over steps of what was applied, plus what is remembered, is all that was computed.
        const at::Tensor memory = rig.memory.present(0);
        at::Tensor remembered = memory.defined() ? memory.clone() : at::zeros({2000});
        rig.link.sum(remembered, Traffic::Metric);
        at::Tensor computed = ramp(self.rank);
        rig.link.sum(computed, Traffic::Metric);
        EXPECT_TRUE((weight * static_cast<float>(ranks) + remembered).equal(computed));
    });
}

INSTANTIATE_TEST_SUITE_P(Ranks, ExchangeOfRanks, ::testing::Values(1, 2, 4));

TEST(BucketExchange, NonFiniteLayerSendsZerosAndKeepsItsMemory) {
    runRanks(2, [](ThreadRank& self) {
        Rig rig(self, specOf("topk", {{{"ratio", 0.01}}}));
        at::Tensor weight = ramp(self.rank), bias = at::zeros({40});
        rig.step(weight, bias);
        const at::Tensor before = rig.memory.present(0).clone();

        at::Tensor broken = at::full({2000}, 8.0F);
        if (self.rank == 1) {
            broken[7] = std::numeric_limits<float>::quiet_NaN();
        }
        bias = at::full({40}, self.rank == 1 ? std::numeric_limits<float>::infinity() : 4.0F);
        const std::vector<int> bad = rig.step(broken, bias);
        EXPECT_EQ(bad, self.rank == 1 ? (std::vector<int>{0, 1}) : std::vector<int>{});
        EXPECT_TRUE(broken.isfinite().all().item<bool>());
        EXPECT_TRUE(bias.eq(2.0F).all().item<bool>());
        if (self.rank == 1) {
            EXPECT_TRUE(rig.memory.present(0).equal(before));
        }
    });
}

TEST(BucketExchange, ZeroGradientsStayZero) {
    for (const std::string name : {"topk", "powersgd"}) {
        runRanks(2, [&](ThreadRank& self) {
            const Settings level =
                name == "topk" ? Settings{{"ratio", 0.01}} : Settings{{"rank", std::int64_t{2}}};
            Rig rig(self, specOf(name, {level}));
            for (int step = 0; step < 20; ++step) {
                at::Tensor weight = at::zeros({2000}), bias = at::zeros({40});
                rig.step(weight, bias);
                EXPECT_TRUE(rig.buffer.eq(0).all().item<bool>()) << name;
                EXPECT_TRUE(rig.memory.present(0).eq(0).all().item<bool>()) << name;
            }
        });
    }
}

TEST(BucketExchange, LayerThatTurnsDenseSendsItsMemoryAndForgetsIt) {
    runRanks(2, [](ThreadRank& self) {
        // Ratio 0.9 costs more than dense at 2 ranks: "dense: not worth it".
        Rig rig(self, specOf("topk", {{{"ratio", 0.9}}, {{"ratio", 0.01}}}));
        ASSERT_TRUE(rig.layers[0].plans[0].dense);
        ASSERT_FALSE(rig.layers[0].plans[1].dense);
        rig.layers[0].level = 1;
        at::Tensor first = ramp(self.rank), bias = at::zeros({40});
        rig.step(first, bias);
        rig.layers[0].level = 0;
        at::Tensor second = at::zeros({2000});
        rig.step(second, bias);
        EXPECT_FALSE(rig.memory.present(0).defined());
        const at::Tensor expected = (at::arange(2000, at::kFloat) - 1000.0F) * 0.375F;
        EXPECT_TRUE((first + second).equal(expected));
    });
}

}  // namespace
}  // namespace concertina
