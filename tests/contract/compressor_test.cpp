// SPDX-License-Identifier: Apache-2.0
// What every compressor must hold, whatever it does: walks the registry, so that a new one is
// tested without a change here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/compress/compressor.h"
#include "tests/contract/compressor_ranks.h"

namespace concertina {
namespace {

using testing::UnorderedElementsAreArray;

const std::vector<Shape> kShapes{{1, 1},       {1, 2},  {2, 1},   {1, 17},   {17, 1},
                                 {4, 3, 3, 3}, {8, 16}, {33, 65}, {120, 256}};

class EveryCompressor : public testing::TestWithParam<std::string> {
 protected:
    static std::vector<at::Tensor> normalInputs(const Shape& shape,
                                                int ranks,
                                                std::uint64_t seed = 10) {
        std::vector<at::Tensor> inputs;
        for (int rank = 0; rank < ranks; ++rank) {
            inputs.push_back(normalTensor(shape, seed + rank));
        }
        return inputs;
    }

    /// body(plan, shape, options)
    template <typename Body>
    static void forEachPlan(const std::vector<Shape>& shapes, Body body) {
        for (const Shape& shape : shapes) {
            for (const Settings& options : optionsToWalk(GetParam())) {
                for (const LevelPlan& plan : plansToWalk(GetParam(), shape, options)) {
                    SCOPED_TRACE(GetParam() + " " + toText(plan.level) + " " + toText(options) +
                                 ", rows " + std::to_string(shape[0]));
                    body(plan, shape, options);
                }
            }
        }
    }

    /// body(plan, shape, options, ranks)
    template <typename Body>
    static void forEachPlanAndWorld(Body body) {
        forEachPlan(kShapes,
                    [&](const LevelPlan& plan, const Shape& shape, const Settings& options) {
                        for (const int ranks : {1, 2, 3}) {
                            SCOPED_TRACE("ranks " + std::to_string(ranks));
                            body(plan, shape, options, ranks);
                        }
                    });
    }
};

/// Relative rounding of one value as it travels.
double roundingOf(const LevelPlan& plan) {
    double rounding = 1e-5;
    for (const PhasePlan& phase : plan.phases()) {
        rounding = std::max(rounding, phase.reduction == Reduction::SumFp16   ? 0x1p-10
                                      : phase.reduction == Reduction::SumBf16 ? 0x1p-7
                                                                              : 0);
    }
    return rounding;
}

/// A selection of variable size may find nothing to send.
bool mayBeEmpty(const LevelPlan& plan) {
    return std::any_of(plan.phases().begin(), plan.phases().end(),
                       [](const PhasePlan& phase) { return phase.isVariable(); });
}

TEST(CompressorRegistry, HasTheNamesOfTheCatalogue) {
    std::vector<std::string> catalogue;
    for (const CompressorDescriptor& compressor : compressors()) {
        catalogue.push_back(compressor.name);
    }
    EXPECT_THAT(compressorFactoryNames(), UnorderedElementsAreArray(catalogue));
}

TEST(CompressorRegistry, AnUnknownNameIsABug) {
    EXPECT_THROW(makeCompressor({"zip", {}}, {}), std::logic_error);
}

/// By how much residuals plus W times the mean differ from the inputs, as a share of the largest
/// number among inputs and mean: a sparse estimate without bias sends more than came in.
double shareLost(const at::Tensor& before,
                 const std::vector<at::Tensor>& residuals,
                 const at::Tensor& mean) {
    const at::Tensor sent = mean.to(at::kDouble) * static_cast<double>(residuals.size());
    const double size =
        std::max(before.abs().max().item<double>(), sent.abs().max().item<double>());
    return (sumOf(residuals) + sent - before).abs().max().item<double>() / size;
}

// What a rank holds back and what the ranks agreed on is all there was.
TEST_P(EveryCompressor, LosesNothing) {
    forEachPlanAndWorld(
        [](const LevelPlan& plan, const Shape& shape, const Settings& options, int ranks) {
            CompressorRanks world(GetParam(), ranks, 1, options);
            auto inputs = normalInputs(shape, ranks);
            const at::Tensor before = sumOf(inputs);
            const at::Tensor mean = world.step(plan, shape, inputs);
            EXPECT_LE(shareLost(before, inputs, mean), roundingOf(plan) * ranks);
        });
}

/// The rows for which `holds`.
std::vector<std::string> compressorsThat(bool (*hold)(const CompressorDescriptor&)) {
    std::vector<std::string> names;
    for (const CompressorDescriptor& compressor : compressors()) {
        if (hold(compressor)) {
            names.push_back(compressor.name);
        }
    }
    return names;
}

class DeterministicCompressor : public EveryCompressor {};

// Equal inputs on all ranks decode to what one rank alone decodes to: a sum would be W times that.
// (Where ranks draw for themselves they do not agree to begin with; there the mean is tested by
// being unbiased.)
TEST_P(DeterministicCompressor, DecodesTheMeanNotTheSum) {
    forEachPlan(kShapes, [](const LevelPlan& plan, const Shape& shape, const Settings& options) {
        std::vector<at::Tensor> alone{normalTensor(shape, 5)};
        std::vector<at::Tensor> equal{alone[0].clone(), alone[0].clone(), alone[0].clone(),
                                      alone[0].clone()};
        CompressorRanks one(GetParam(), 1, 1, options);
        CompressorRanks four(GetParam(), 4, 1, options);
        const at::Tensor expected = one.step(plan, shape, alone);
        const at::Tensor mean = four.step(plan, shape, equal);
        EXPECT_LE((mean - expected).abs().max().item<double>(),
                  roundingOf(plan) * (1 + expected.abs().max().item<double>()));
    });
}

TEST_P(EveryCompressor, ZerosGiveExactZeros) {
    forEachPlanAndWorld(
        [](const LevelPlan& plan, const Shape& shape, const Settings& options, int ranks) {
            CompressorRanks world(GetParam(), ranks, 1, options);
            std::vector<at::Tensor> inputs;
            for (int rank = 0; rank < ranks; ++rank) {
                inputs.push_back(at::zeros({elementsOf(shape)}, at::kFloat));
            }
            for (int step = 0; step < 3; ++step) {
                const at::Tensor mean = world.step(plan, shape, inputs, step);
                EXPECT_EQ(mean.ne(0).sum().item<std::int64_t>(), 0) << "step " << step;
                for (const at::Tensor& residual : inputs) {
                    EXPECT_EQ(residual.ne(0).sum().item<std::int64_t>(), 0) << "step " << step;
                }
            }
            // And the state they left does not stand in the way of what comes after.
            inputs = normalInputs(shape, ranks);
            const at::Tensor mean = world.step(plan, shape, inputs, 3);
            EXPECT_TRUE(mayBeEmpty(plan) || mean.abs().max().item<float>() > 0);
            EXPECT_TRUE(mean.isfinite().all().item<bool>());
        });
}

TEST_P(EveryCompressor, SameSeedSameBytesEachStep) {
    forEachPlanAndWorld(
        [](const LevelPlan& plan, const Shape& shape, const Settings& options, int ranks) {
            CompressorRanks first(GetParam(), ranks, 7, options);
            CompressorRanks second(GetParam(), ranks, 7, options);
            second.setUnwritten(0x11);
            for (int step = 0; step < 3; ++step) {
                auto inputs = normalInputs(shape, ranks, 20 + step);
                auto copies = copiesOf(inputs);
                const at::Tensor mean = first.step(plan, shape, inputs, step);
                EXPECT_TRUE(sameBits(mean, second.step(plan, shape, copies, step)));
                EXPECT_TRUE(sameBits(inputs.back(), copies.back()));
                for (std::size_t phase = 0; phase < plan.phases().size(); ++phase) {
                    EXPECT_TRUE(sameBits(first.sent()[phase], second.sent()[phase]));
                }
            }
        });
}

TEST_P(EveryCompressor, LevelsMayChangeAtAnyStep) {
    for (const Shape& shape : kShapes) {
        for (const Settings& options : optionsToWalk(GetParam())) {
            const std::vector<LevelPlan> plans = plansToWalk(GetParam(), shape, options);
            CompressorRanks world(GetParam(), 2, 1, options);
            for (std::size_t step = 0; step < 12 && !plans.empty(); ++step) {
                const LevelPlan& plan = plans[(step * step / 2) % plans.size()];
                auto inputs = normalInputs(shape, 2, 30 + step);
                const at::Tensor before = sumOf(inputs);
                const auto index = static_cast<std::int64_t>(step);
                const at::Tensor mean = world.step(plan, shape, inputs, index);
                EXPECT_TRUE(mean.isfinite().all().item<bool>());
                EXPECT_LE(shareLost(before, inputs, mean), roundingOf(plan) * 20);
            }
        }
    }
}

// A checkpoint in the middle: the compressors that go on and those that took their state over send
// the same bytes.
TEST_P(EveryCompressor, GoesOnFromItsSavedState) {
    forEachPlan({{33, 65}}, [](const LevelPlan& plan, const Shape& shape, const Settings& options) {
        CompressorRanks world(GetParam(), 2, 1, options);
        CompressorRanks resumed(GetParam(), 2, 1, options);
        auto inputs = normalInputs(shape, 2);
        world.step(plan, shape, inputs, 0, 4);
        for (int rank = 0; rank < 2; ++rank) {
            resumed.rank(rank).load(world.rank(rank).save(), std::vector<Shape>(5, shape));
        }
        auto copies = copiesOf(inputs);
        const at::Tensor mean = world.step(plan, shape, inputs, 1, 4);
        EXPECT_TRUE(sameBits(mean, resumed.step(plan, shape, copies, 1, 4)));
        EXPECT_TRUE(sameBits(inputs[1], copies[1]));
    });
}

class UnbiasedCompressor : public EveryCompressor {};

// The mean of 4,000 draws of what two ranks decode is the mean of their inputs: for none of 128
// elements it is 5.5 standard errors away (a false alarm in 2 of 100,000 seeds, for each plan). Of
// a deterministic one, whose standard error is nothing, it is away by the rounding.
TEST_P(UnbiasedCompressor, IsRightOnAverage) {
    constexpr int kDraws = 4000;
    forEachPlan({{8, 16}}, [](const LevelPlan& plan, const Shape& shape, const Settings& options) {
        CompressorRanks world(GetParam(), 2, 1, options);
        const auto inputs = normalInputs(shape, 2);
        const at::Tensor expected = sumOf(inputs) / 2;
        at::Tensor sum = at::zeros_like(expected);
        at::Tensor squares = at::zeros_like(expected);
        for (int draw = 0; draw < kDraws; ++draw) {
            auto copies = copiesOf(inputs);
            const at::Tensor error =
                world.step(plan, shape, copies, draw).to(at::kDouble) - expected;
            sum += error;
            squares += error * error;
        }
        const at::Tensor mean = sum / kDraws;
        const at::Tensor standardError = (squares / kDraws - mean * mean).clamp_min(0).sqrt() /
                                         std::sqrt(static_cast<double>(kDraws));
        const double rounding = roundingOf(plan) * expected.abs().max().item<double>();
        EXPECT_TRUE((mean.abs() <= 5.5 * standardError + rounding).all().item<bool>())
            << mean << standardError;
    });
}

class CompressorWithErrorFeedback : public EveryCompressor {};

// Whoever needs error feedback is a contraction (Karimireddy et al. 2019, definition 1): what it
// holds back is never larger than what came in. Otherwise the memory would grow for ever.
TEST_P(CompressorWithErrorFeedback, IsAContraction) {
    forEachPlan(kShapes, [](const LevelPlan& plan, const Shape& shape, const Settings& options) {
        CompressorRanks world(GetParam(), 1, 1, options);
        auto inputs = normalInputs(shape, 1);
        const double before = inputs[0].norm().item<double>();
        world.step(plan, shape, inputs);
        EXPECT_LE(inputs[0].norm().item<double>(), before * (1 + 1e-6));
    });
}

// Error memory of 60 steps with the same gradient: all that went in was decoded on the way or is in
// the memory, to the rounding of 60 additions to each; and at the mildest level most of it was.
TEST_P(CompressorWithErrorFeedback, DeliversEverythingInTime) {
    const Settings& mildest = findCompressor(GetParam())->defaultLevels.front();
    forEachPlan({{16, 18}},
                [&](const LevelPlan& plan, const Shape& shape, const Settings& options) {
                    CompressorRanks world(GetParam(), 1, 1, options);
                    const at::Tensor gradient = normalTensor(shape, 3);
                    world.setGradient(gradient);
                    std::vector<at::Tensor> memory{at::zeros_like(gradient)};
                    at::Tensor delivered = at::zeros({gradient.numel()}, at::kDouble);
                    constexpr int kSteps = 60;
                    for (int step = 0; step < kSteps; ++step) {
                        memory[0] += gradient;
                        delivered += world.step(plan, shape, memory, step);
                    }
                    const at::Tensor all = gradient.to(at::kDouble) * kSteps;
                    const double largest = all.abs().max().item<double>();
                    EXPECT_LE((delivered + memory[0] - all).abs().max().item<double>(),
                              2 * kSteps * 0x1p-24 * largest);
                    if (plan.level == planOf(GetParam(), shape, mildest).level) {
                        EXPECT_LE(memory[0].norm().item<double>(), 0.5 * all.norm().item<double>());
                    }
                });
}

std::string nameOf(const testing::TestParamInfo<std::string>& row) { return row.param; }

INSTANTIATE_TEST_SUITE_P(Registry,
                         EveryCompressor,
                         testing::ValuesIn(compressorFactoryNames()),
                         nameOf);
INSTANTIATE_TEST_SUITE_P(Registry,
                         DeterministicCompressor,
                         testing::ValuesIn(compressorsThat([](const CompressorDescriptor& c) {
                             return c.deterministic;
                         })),
                         nameOf);
INSTANTIATE_TEST_SUITE_P(Registry,
                         UnbiasedCompressor,
                         testing::ValuesIn(compressorsThat([](const CompressorDescriptor& c) {
                             return !c.biased;
                         })),
                         nameOf);
INSTANTIATE_TEST_SUITE_P(Registry,
                         CompressorWithErrorFeedback,
                         testing::ValuesIn(compressorsThat([](const CompressorDescriptor& c) {
                             return c.needsErrorFeedback;
                         })),
                         nameOf);

}  // namespace
}  // namespace concertina
