// SPDX-License-Identifier: Apache-2.0
#include "core/train/optimizer.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros_like.h>
#include <gmock/gmock.h>

#include <cmath>

#include "core/base/error.h"
#include "core/train/weight_average.h"

namespace concertina {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

RunSpec specOf(const std::string& optimizer) {
    RunSpec spec = defaultRunSpec();
    spec.train["optimizer"] = optimizer;
    spec.train["lr"] = 0.5;
    spec.train["momentum"] = 0.0;
    spec.train["weight_decay"] = 0.0;
    return spec;
}

/// A matrix of weights 3, 4 (norm 5), a bias of 2, and one parameter that never has a gradient.
struct Parameters {
    NamedParameters named;
    Parameters() {
        add("weight", at::tensor({3.0F, 4.0F}).view({1, 2}));
        add("bias", at::tensor({2.0F}));
        add("unused", at::tensor({7.0F, 7.0F}).view({2, 1}));
    }
    void add(const std::string& name, const at::Tensor& tensor) {
        named.names.push_back(name);
        named.tensors.push_back(tensor.clone().set_requires_grad(true));
    }
    void setGradients(float first, float second, float ofBias) {
        named.tensors[0].mutable_grad() = at::tensor({first, second}).view({1, 2});
        named.tensors[1].mutable_grad() = at::tensor({ofBias});
    }
    std::vector<float> weights() const {
        const auto& w = named.tensors;
        return {w[0][0][0].item<float>(), w[0][0][1].item<float>(), w[1][0].item<float>()};
    }
};

void expectWeights(const Parameters& parameters, const std::vector<double>& expected) {
    const std::vector<float> weights = parameters.weights();
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_NEAR(weights[i], expected[i], 1e-6) << i;
    }
    EXPECT_TRUE(parameters.named.tensors[2].eq(7.0F).all().item<bool>());
}

TEST(Optimizer, SgdWithMomentumByHand) {
    RunSpec spec = specOf("sgd");
    spec.train["momentum"] = 0.5;
    Parameters parameters;
    Optimizer optimizer(spec, parameters.named);
    parameters.setGradients(1, 0, 2);
    optimizer.step();
    expectWeights(parameters, {2.5, 4, 1});
    optimizer.step();  // the update is 0.5 * (0.5 + 1) of the gradient
    expectWeights(parameters, {1.75, 4, -0.5});
}

TEST(Optimizer, DecayIsOfAllOrOfMatricesOnly) {
    for (const bool matrices : {false, true}) {
        RunSpec spec = specOf("sgd");
        spec.train["weight_decay"] = 0.1;
        spec.train["weight_decay_on"] = std::string(matrices ? "matrices" : "all");
        Parameters parameters;
        Optimizer optimizer(spec, parameters.named);
        parameters.setGradients(0, 0, 0);
        optimizer.step();
        expectWeights(parameters, {3 * 0.95, 4 * 0.95, matrices ? 2 : 2 * 0.95});
    }
}

TEST(Optimizer, FirstStepOfAdamIsTheRateWhateverTheGradient) {
    for (const char* kind : {"adam", "adamw"}) {
        Parameters parameters;
        Optimizer optimizer(specOf(kind), parameters.named);
        parameters.setGradients(0.25F, -50, 0);
        optimizer.step();
        expectWeights(parameters, {2.5, 4.5, 2});
    }
}

TEST(Optimizer, AdamwDecaysTheWeightAndAdamTheGradient) {
    for (const bool decoupled : {false, true}) {
        RunSpec spec = specOf(decoupled ? "adamw" : "adam");
        spec.train["weight_decay"] = 0.1;
        Parameters parameters;
        Optimizer optimizer(spec, parameters.named);
        parameters.setGradients(0, 0, 0);
        optimizer.step();
        // Adam: the gradient is 0.1 w, of which the first step keeps the sign only.
        expectWeights(parameters, decoupled ? std::vector<double>{2.85, 3.8, 1.9}
                                            : std::vector<double>{2.5, 3.5, 1.5});
    }
}

TEST(Optimizer, LarsStepsAreAShareOfTheWeightsNorm) {
    RunSpec spec = specOf("lars");
    spec.train["trust"] = 0.1;
    Parameters parameters;
    Optimizer optimizer(spec, parameters.named);
    parameters.setGradients(0, 200, 1);  // |w| = 5, so the step is 0.5 * 0.1 * 5
    optimizer.step();
    expectWeights(parameters, {3, 3.75, 1.5});  // the bias steps as sgd does

    RunSpec decaying = spec;
    decaying.train["weight_decay"] = 2.0;
    Parameters others;
    Optimizer decay(decaying, others.named);
    others.setGradients(0, 0, 0);  // g + decay w points along w: 0.05 of it, whatever the decay
    decay.step();
    expectWeights(others, {3 * 0.95, 4 * 0.95, 2 - 0.5 * 4});

    Parameters zeros;
    at::NoGradGuard noGrad;
    zeros.named.tensors[0].zero_();
    Optimizer fromZero(spec, zeros.named);
    zeros.setGradients(2, 0, 0);  // no norm to take a share of: as sgd
    fromZero.step();
    expectWeights(zeros, {-1, 0, 2});
}

TEST(Optimizer, LongGradientsAreShortenedTogetherAndOthersLeft) {
    RunSpec spec = specOf("sgd");
    spec.train["clip_norm"] = 3.0;
    Parameters parameters;
    Optimizer optimizer(spec, parameters.named);
    parameters.setGradients(2, 4, 4);  // norm 6: halved
    optimizer.step();
    expectWeights(parameters, {3 - 0.5, 4 - 1, 2 - 1});
    parameters.setGradients(1, 2, 2);  // norm 3
    optimizer.step();
    expectWeights(parameters, {2.5 - 0.5, 3 - 1, 1 - 1});
    parameters.setGradients(0, 0, 0);
    optimizer.step();
    expectWeights(parameters, {2, 2, 0});
}

TEST(Optimizer, GradientsAreZeroedInPlace) {
    Parameters parameters;
    Optimizer optimizer(specOf("sgd"), parameters.named);
    parameters.setGradients(2, 4, 4);
    const at::Tensor view = parameters.named.tensors[0].grad();
    optimizer.zeroGradients();
    EXPECT_TRUE(view.eq(0).all().item<bool>());
}

TEST(Optimizer, GoesOnFromItsStateBitForBit) {
    for (const char* kind : {"sgd", "adam", "adamw", "lars"}) {
        RunSpec spec = specOf(kind);
        spec.train["momentum"] = 0.9;
        spec.train["weight_decay"] = 0.01;
        Parameters straight, resumed;
        Optimizer one(spec, straight.named), before(spec, resumed.named);
        for (int step = 0; step < 3; ++step) {
            straight.setGradients(0.3F, -0.7F, 1.1F);
            resumed.setGradients(0.3F, -0.7F, 1.1F);
            one.step();
            before.step();
        }
        Optimizer after(spec, resumed.named);
        after.restore(before.state());
        straight.setGradients(-0.2F, 0.9F, 0.4F);
        resumed.setGradients(-0.2F, 0.9F, 0.4F);
        one.step();
        after.step();
        EXPECT_EQ(straight.weights(), resumed.weights()) << kind;
    }
}

std::string refusal(Optimizer& optimizer, const NamedParameters& state) {
    try {
        optimizer.restore(state);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(Optimizer, StateThatDoesNotFitIsRefusedByName) {
    RunSpec spec = specOf("adam");
    Parameters parameters;
    Optimizer optimizer(spec, parameters.named);
    parameters.setGradients(1, 1, 1);
    optimizer.step();
    const NamedParameters good = optimizer.state();
    EXPECT_THAT(good.names, ElementsAre("exp_avg/weight", "exp_avg_sq/weight", "step/weight",
                                        "exp_avg/bias", "exp_avg_sq/bias", "step/bias"));
    NamedParameters shape = good;
    shape.tensors[1] = at::full({2, 2}, 1.0F);
    EXPECT_THAT(refusal(optimizer, shape), HasSubstr("exp_avg_sq/weight has the wrong shape"));
    NamedParameters missing = good;
    missing.names.erase(missing.names.begin() + 2);
    missing.tensors.erase(missing.tensors.begin() + 2);
    EXPECT_THAT(refusal(optimizer, missing), HasSubstr("step/weight is missing"));
    NamedParameters foreign = good;
    foreign.names.push_back("momentum/weight");
    foreign.tensors.push_back(good.tensors[0]);
    EXPECT_THAT(refusal(optimizer, foreign), HasSubstr("7 tensors, 6 of them known to adam"));
}

TEST(WeightAverage, KeepsItsShareAndComesBackFromAnEvaluation) {
    Parameters parameters;
    WeightAverage average(parameters.named, 0.75);
    {
        const at::NoGradGuard noGrad;
        parameters.named.tensors[0].add_(4);
    }
    average.update();  // 3 + 0.25 * 4
    average.swap();
    expectWeights(parameters, {4, 5, 2});
    average.swap();
    expectWeights(parameters, {7, 8, 2});

    WeightAverage other(parameters.named, 0.75);
    other.restore(average.state());
    other.swap();
    expectWeights(parameters, {4, 5, 2});

    NamedParameters renamed = average.state();
    renamed.names[0] = "average/else";
    EXPECT_THROW(other.restore(renamed), Error);
    NamedParameters reshaped = average.state();
    reshaped.tensors[0] = at::full({3}, 1.0F);
    EXPECT_THROW(other.restore(reshaped), Error);
}

}  // namespace
}  // namespace concertina
