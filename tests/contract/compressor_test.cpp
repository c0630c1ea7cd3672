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
    static std::vector<Settings> levels() { return findCompressor(GetParam())->defaultLevels; }

    static std::vector<at::Tensor> normalInputs(const Shape& shape,
                                                int ranks,
                                                std::uint64_t seed = 10) {
        std::vector<at::Tensor> inputs;
        for (int rank = 0; rank < ranks; ++rank) {
            inputs.push_back(normalTensor(shape, seed + rank));
        }
        return inputs;
    }

    template <typename Body>
    static void forEachShapeLevelAndWorld(Body body) {
        for (const Shape& shape : kShapes) {
            for (const Settings& level : levels()) {
                for (const int ranks : {1, 2, 3}) {
                    SCOPED_TRACE(GetParam() + " " + toText(level) + ", rows " +
                                 std::to_string(shape[0]) + ", ranks " + std::to_string(ranks));
                    body(planOf(GetParam(), shape, level), shape, ranks);
                }
            }
        }
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

// What a rank holds back and what the ranks agreed on is all there was: residuals plus W times the
// mean.
TEST_P(EveryCompressor, LosesNothing) {
    forEachShapeLevelAndWorld([](const LevelPlan& plan, const Shape& shape, int ranks) {
        CompressorRanks world(GetParam(), ranks);
        auto inputs = normalInputs(shape, ranks);
        const at::Tensor before = sumOf(inputs);
        const at::Tensor mean = world.step(plan, shape, inputs);
        const at::Tensor after = sumOf(inputs) + mean.to(at::kDouble) * ranks;
        const double size = before.abs().max().item<double>();
        EXPECT_LE((after - before).abs().max().item<double>(), roundingOf(plan) * ranks * size);
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
    for (const Shape& shape : kShapes) {
        for (const Settings& level : levels()) {
            const LevelPlan plan = planOf(GetParam(), shape, level);
            std::vector<at::Tensor> alone{normalTensor(shape, 5)};
            std::vector<at::Tensor> equal{alone[0].clone(), alone[0].clone(), alone[0].clone(),
                                          alone[0].clone()};
            CompressorRanks one(GetParam(), 1);
            CompressorRanks four(GetParam(), 4);
            const at::Tensor expected = one.step(plan, shape, alone);
            const at::Tensor mean = four.step(plan, shape, equal);
            EXPECT_LE((mean - expected).abs().max().item<double>(),
                      roundingOf(plan) * (1 + expected.abs().max().item<double>()));
        }
    }
}

TEST_P(EveryCompressor, ZerosGiveExactZeros) {
    forEachShapeLevelAndWorld([](const LevelPlan& plan, const Shape& shape, int ranks) {
        CompressorRanks world(GetParam(), ranks);
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
    forEachShapeLevelAndWorld([](const LevelPlan& plan, const Shape& shape, int ranks) {
        CompressorRanks first(GetParam(), ranks, 7);
        CompressorRanks second(GetParam(), ranks, 7);
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
        CompressorRanks world(GetParam(), 2);
        for (int step = 0; step < 12; ++step) {
            const Settings level = levels()[(step * step / 2) % levels().size()];
            auto inputs = normalInputs(shape, 2, 30 + step);
            const at::Tensor before = sumOf(inputs);
            const LevelPlan plan = planOf(GetParam(), shape, level);
            const at::Tensor mean = world.step(plan, shape, inputs, step);
            EXPECT_TRUE(mean.isfinite().all().item<bool>());
            const at::Tensor after = sumOf(inputs) + mean.to(at::kDouble) * 2;
            const double size = before.abs().max().item<double>();
            EXPECT_LE((after - before).abs().max().item<double>(), roundingOf(plan) * 20 * size);
        }
    }
}

// A checkpoint in the middle: the compressors that go on and those that took their state over send
// the same bytes.
TEST_P(EveryCompressor, GoesOnFromItsSavedState) {
    const Shape shape{33, 65};
    const LevelPlan plan = planOf(GetParam(), shape, levels().front());
    CompressorRanks world(GetParam(), 2);
    CompressorRanks resumed(GetParam(), 2);
    auto inputs = normalInputs(shape, 2);
    world.step(plan, shape, inputs, 0, 4);
    for (int rank = 0; rank < 2; ++rank) {
        resumed.rank(rank).load(world.rank(rank).save());
    }
    auto copies = copiesOf(inputs);
    const at::Tensor mean = world.step(plan, shape, inputs, 1, 4);
    EXPECT_TRUE(sameBits(mean, resumed.step(plan, shape, copies, 1, 4)));
    EXPECT_TRUE(sameBits(inputs[1], copies[1]));
}

class UnbiasedCompressor : public EveryCompressor {};

// The mean of 4,000 draws of what two ranks decode is the mean of their inputs: for none of 128
// elements it is 5.5 standard errors away (a false alarm in 2 of 100,000 seeds).
TEST_P(UnbiasedCompressor, IsRightOnAverage) {
    const Shape shape{8, 16};
    constexpr int kDraws = 4000;
    for (const Settings& level : levels()) {
        SCOPED_TRACE(toText(level));
        const LevelPlan plan = planOf(GetParam(), shape, level);
        CompressorRanks world(GetParam(), 2);
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
        const double rounding = 1e-6;  // of a deterministic one, whose standard error is nothing
        EXPECT_TRUE((mean.abs() <= 5.5 * standardError + rounding).all().item<bool>())
            << mean << standardError;
    }
}

class CompressorWithErrorFeedback : public EveryCompressor {};

// Whoever needs error feedback is a contraction (Karimireddy et al. 2019, definition 1): what it
// holds back is never larger than what came in. Otherwise the memory would grow for ever.
TEST_P(CompressorWithErrorFeedback, IsAContraction) {
    forEachShapeLevelAndWorld([](const LevelPlan& plan, const Shape& shape, int) {
        CompressorRanks world(GetParam(), 1);
        auto inputs = normalInputs(shape, 1);
        const double before = inputs[0].norm().item<double>();
        world.step(plan, shape, inputs);
        EXPECT_LE(inputs[0].norm().item<double>(), before * (1 + 1e-6));
    });
}

// Error memory of 60 steps with the same gradient: what was decoded on the way approaches all that
// went in.
TEST_P(CompressorWithErrorFeedback, DeliversEverythingInTime) {
    const Shape shape{16, 18};
    const LevelPlan plan = planOf(GetParam(), shape, levels().front());
    CompressorRanks world(GetParam(), 1);
    const at::Tensor gradient = normalTensor(shape, 3);
    world.setGradient(gradient);
    std::vector<at::Tensor> memory{at::zeros_like(gradient)};
    at::Tensor delivered = at::zeros_like(gradient);
    constexpr int kSteps = 60;
    for (int step = 0; step < kSteps; ++step) {
        memory[0] += gradient;
        delivered += world.step(plan, shape, memory, step);
    }
    const double missing = (delivered - gradient * kSteps).norm().item<double>();
    EXPECT_LT(missing, 0.5 * (gradient * kSteps).norm().item<double>());
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
