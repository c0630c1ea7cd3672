// SPDX-License-Identifier: Apache-2.0
// One bucket through real collectives, with inputs whose results are exact.
#include "core/comm/bucket_exchange.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "tests/support/compress_choice.h"
#include "tests/support/thread_ranks.h"

namespace concertina {
namespace {

using test::runRanks;
using test::ThreadRank;

RunSpec specOf(const std::string& compressor, std::vector<Settings> levels) {
    RunSpec spec = defaultRunSpec();
    spec.compress = compressorAtDefaults(compressor);
    spec.levels = std::move(levels);
    return spec;
}

/// A weight of 40 x 50 and a bias of 40: layers 0 and 1 of one bucket.
struct Rig {
    Rig(ThreadRank& self, const RunSpec& spec, ExchangeOptions options = {.errorFeedback = true})
        : rank(self.rank),
          link(self.group("gradients"), self.worldSize, self.slot),
          layers(
              makeLayers(spec, {"w", "b"}, {at::zeros({40, 50}), at::zeros({40})}, self.worldSize)),
          levels(spec.levels),
          memory(2),
          momentum(2),
          compressor(makeCompressor(spec.compress, {self.rank, self.worldSize, 1})),
          exchange({layers, levels, *compressor, memory, momentum, link, options}) {}

    /// Gradients in, means out.
    std::vector<int> step(at::Tensor& weight, at::Tensor& bias) {
        buffer = at::cat({weight.flatten(), bias});
        const std::vector<BucketSlice> slices{{0, buffer.narrow(0, 0, 2000)},
                                              {1, buffer.narrow(0, 2000, 40)}};
        auto nonFinite = exchange.run(slices, steps++);
        memory.commit();
        momentum.commit();
        compressor->commit();
        weight = buffer.narrow(0, 0, 2000);
        bias = buffer.narrow(0, 2000, 40);
        return nonFinite;
    }

    int rank;
    Collectives link;
    std::vector<Layer> layers;
    std::vector<Settings> levels;
    ErrorMemory memory, momentum;
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
        Rig rig(self, specOf("none", findCompressor("none")->defaultLevels));
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
    for (const CompressorDescriptor& compressor : compressors()) {
        const std::vector<Settings>& levels = compressor.defaultLevels;
        for (std::size_t level = 0; level < levels.size(); ++level) {
            SCOPED_TRACE(compressor.name + " level " + std::to_string(level));
            runRanks(ranks, [&](ThreadRank& self) {
                Rig rig(self, specOf(compressor.name, levels));
                rig.layers[0].level = static_cast<int>(level);
                at::Tensor weight = ramp(self.rank), bias = at::full({40}, 1.0F);
                rig.step(weight, bias);
                const TrafficCount& counted = rig.link.count(Traffic::Gradient);
                const auto shown = rig.layers[0].payloadBytes + rig.layers[1].payloadBytes;
                EXPECT_EQ(shown, counted.payloadBytes);
                EXPECT_DOUBLE_EQ(rig.layers[0].wireBytes + rig.layers[1].wireBytes,
                                 counted.wireBytes);
                const BytePlan& plan = rig.layers[0].plan();
                std::int64_t least = 0, most = 0;
                for (const PhasePlan& phase : plan.phases) {
                    least += phase.isVariable() ? 0 : phase.payloadBytes;
                    most += phase.isVariable() ? phase.capacityBytes : phase.payloadBytes;
                }
                EXPECT_GE(rig.layers[0].payloadBytes, least);
                EXPECT_LE(rig.layers[0].payloadBytes, most);
                const bool variable = std::any_of(plan.phases.begin(), plan.phases.end(),
                                                  [](const auto& p) { return p.isVariable(); });
                EXPECT_EQ(rig.link.count(Traffic::Size).payloadBytes, variable ? 8 : 0);
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
    for (const CompressorDescriptor& compressor : compressors()) {
        SCOPED_TRACE(compressor.name);
        runRanks(2, [&](ThreadRank& self) {
            Rig rig(self, specOf(compressor.name, {compressor.defaultLevels.back()}),
                    {.errorFeedback = compressor.needsErrorFeedback, .localMomentum = 0.5F});
            at::Tensor weight = ramp(self.rank), bias = at::zeros({40});
            rig.step(weight, bias);
            const at::Tensor& memory = rig.memory.present(0);
            const at::Tensor before = memory.defined() ? memory.clone() : at::Tensor();
            const at::Tensor momentum = rig.momentum.present(0).clone();

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
                EXPECT_TRUE(rig.momentum.present(0).equal(momentum));
                EXPECT_EQ(before.defined(), rig.memory.present(0).defined());
                EXPECT_TRUE(!before.defined() || rig.memory.present(0).equal(before));
            }
        });
    }
}

TEST(BucketExchange, ZeroGradientsStayZero) {
    for (const CompressorDescriptor& compressor : compressors()) {
        SCOPED_TRACE(compressor.name);
        runRanks(2, [&](ThreadRank& self) {
            Rig rig(self, specOf(compressor.name, {compressor.defaultLevels.back()}));
            for (int step = 0; step < 20; ++step) {
                at::Tensor weight = at::zeros({2000}), bias = at::zeros({40});
                rig.step(weight, bias);
                EXPECT_TRUE(rig.buffer.eq(0).all().item<bool>());
                const at::Tensor& memory = rig.memory.present(0);
                EXPECT_TRUE(!memory.defined() || memory.eq(0).all().item<bool>());
            }
        });
    }
}

// u = 0.5 u + g on each rank; dense, so that the mean of the u is what arrives.
TEST(BucketExchange, MomentumBeforeCompressionIsSummedByEachRank) {
    runRanks(2, [](ThreadRank& self) {
        Rig rig(self, specOf("none", findCompressor("none")->defaultLevels),
                {.errorFeedback = false, .localMomentum = 0.5F});
        const double expected[] = {3, 4.5, 5.25};
        for (const double mean : expected) {
            at::Tensor weight = at::full({2000}, self.rank == 0 ? 2.0F : 4.0F);
            at::Tensor bias = weight.narrow(0, 0, 40).clone();
            rig.step(weight, bias);
            EXPECT_TRUE(weight.eq(mean).all().item<bool>()) << mean;
            EXPECT_TRUE(bias.eq(mean).all().item<bool>()) << mean;
        }
    });
}

/// Sends nothing and remembers what it was shown as the gradient.
class Spy : public Compressor {
 public:
    void encode(int, LayerWork& work, const at::Tensor& payload) override {
        seen = work.gradient.clone();
        payload.zero_();
    }
    void decode(int, LayerWork& work, const at::Tensor&) override { work.output.zero_(); }
    at::Tensor seen;
};

// With momentum before compression the momentum is what goes into the memory: 2, then 0.5 * 2 + 2.
TEST(BucketExchange, AGradientIsWhatWasAddedToTheMemory) {
    runRanks(1, [](ThreadRank& self) {
        const ExchangeOptions options{.errorFeedback = true, .localMomentum = 0.5F};
        Rig rig(self, specOf("topk", {{{"ratio", 0.01}}}), options);
        Spy spy;
        BucketExchange exchange(
            {rig.layers, rig.levels, spy, rig.memory, rig.momentum, rig.link, options});
        for (const double expected : {2.0, 3.0}) {
            at::Tensor gradient = at::full({2000}, 2.0F);
            exchange.run({{0, gradient}}, 0);
            rig.memory.commit();
            rig.momentum.commit();
            EXPECT_TRUE(spy.seen.eq(expected).all().item<bool>()) << expected;
        }
    });
}

// TopK of 1 element of 8: the others stay, and half of what stays is forgotten each step.
TEST(BucketExchange, ErrorMemoryDecays) {
    runRanks(1, [](ThreadRank& self) {
        Rig rig(self, specOf("topk", {{{"ratio", 0.0005}}}),
                {.errorFeedback = true, .errorDecay = 0.5F});
        at::Tensor weight = at::full({2000}, 1.0F);
        weight[0] = 100.0F;
        at::Tensor bias = at::zeros({40});
        rig.step(weight, bias);
        EXPECT_EQ(rig.memory.present(0)[1].item<float>(), 1);
        weight = at::zeros({2000});
        weight[0] = 100.0F;
        rig.step(weight, bias);
        EXPECT_EQ(rig.memory.present(0)[0].item<float>(), 0);
        EXPECT_EQ(rig.memory.present(0)[1].item<float>(), 0.5);
    });
}

TEST(ErrorMemoryOfUpdates, IsScaledInPlace) {
    ErrorMemory memory(2);
    memory.next(0, at::full({3}, 1.0F)).fill_(8);
    memory.keepNext(0);
    memory.commit();
    memory.scale(0.25);
    EXPECT_TRUE(memory.present(0).eq(2).all().item<bool>());
    EXPECT_FALSE(memory.present(1).defined());
}

TEST(BucketExchange, LayerThatTurnsDenseSendsItsMemoryAndForgetsIt) {
    runRanks(2, [](ThreadRank& self) {
        // Ratio 1 costs more than dense at 2 ranks: "dense: not worth it".
        Rig rig(self, specOf("topk", {{{"ratio", 1.0}}, {{"ratio", 0.01}}}));
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
