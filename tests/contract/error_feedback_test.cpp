// SPDX-License-Identifier: Apache-2.0
// What Karimireddy et al. 2019 ("Error feedback fixes SignSGD and other gradient compression
// schemes") prove and show, with the real compressors: methods.md 5.
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "core/base/seeds.h"
#include "tests/support/feedback_loop.h"
#include "tests/support/least_squares.h"

namespace concertina {
namespace {

Settings signs(const char* scale) { return {{"scale", std::string(scale)}, {"vote", false}}; }

constexpr double kEpsilon = 0.5;

using Point = std::vector<double>;
using Gradient = std::function<Point(const Point&, int step)>;

enum class Method { Signs, ScaledSigns, Feedback };

struct Descent {
    double learningRate;
    int steps;
    double limit = 1e9;  // coordinates stay in -limit..limit
    std::function<void(const Point&)> seen = [](const Point&) {};
};

/// SGD from `x` with gradients sent through `method`.
Point descend(Method method, Point x, const Gradient& gradient, const Descent& descent) {
    const auto dimensions = static_cast<std::int64_t>(x.size());
    FeedbackLoop loop("signsgd", signs(method == Method::Signs ? "none" : "l1"), {1, dimensions},
                      method == Method::Feedback);
    // Plain signs are multiplied by the rate afterwards, everything else before.
    const double after = method == Method::Signs ? descent.learningRate : 1;
    const double before = descent.learningRate / after;
    for (int step = 0; step < descent.steps; ++step) {
        const at::Tensor sent =
            loop.sent(at::tensor(gradient(x, step)).to(at::kFloat) * before) * after;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double moved = x[i] - sent[static_cast<std::int64_t>(i)].item<double>();
            x[i] = std::clamp(moved, -descent.limit, descent.limit);
        }
        descent.seen(x);
    }
    return x;
}

double signOf(double value) { return value < 0 ? -1 : 1; }

// Counter-example 1: f(x) = x / 4 on [-1, 1], whose stochastic gradient is 4 in one of four cases
// and else -1: the expected sign is -1/2 and leads uphill, to f(1). It is the size that is missing:
// scaled, a single number's sign is the number. From the end it comes to, a walk is away by 0.02 on
// the average, so that 0.5 is a false alarm once in e^25.
TEST(ErrorFeedback, FirstCounterexample) {
    const auto stream = randomStream(1, "counterexample");
    const Gradient gradient = [&](const Point&, int step) -> Point {
        return {stream.word(static_cast<std::uint64_t>(step)) % 4 == 0 ? 4.0 : -1.0};
    };
    const Descent descent{.learningRate = 0.002, .steps = 5000, .limit = 1};
    EXPECT_GT(descend(Method::Signs, {0}, gradient, descent)[0], 0.5);
    EXPECT_LT(descend(Method::Feedback, {0}, gradient, descent)[0], -0.5);
}

// Counter-example 2: f(x) = epsilon |x_1 + x_2| + |x_1 - x_2|: every subgradient's signs are
// (1, -1) or its opposite, so x_1 + x_2 = 2 stays and f does not fall below 2 epsilon.
TEST(ErrorFeedback, SecondCounterexample) {
    const Gradient gradient = [](const Point& x, int) -> Point {
        const double plus = kEpsilon * signOf(x[0] + x[1]);
        const double minus = signOf(x[0] - x[1]);
        return {plus + minus, plus - minus};
    };
    const auto f = [](const Point& x) {
        return kEpsilon * std::fabs(x[0] + x[1]) + std::fabs(x[0] - x[1]);
    };
    for (const Method method : {Method::Signs, Method::ScaledSigns}) {
        const auto seen = [&](const Point& x) { ASSERT_GE(f(x), 2 * kEpsilon - 1e-3); };
        descend(method, {1.3, 0.7}, gradient, {.learningRate = 0.01, .steps = 2000, .seen = seen});
    }
    const Descent descent{.learningRate = 0.002, .steps = 4000};
    EXPECT_LE(f(descend(Method::Feedback, {1.3, 0.7}, gradient, descent)), 0.05);
}

// Counter-example 3, smooth: f(x) = <a_1, x>^2 + <a_2, x>^2 with a = +-(1, -1) + epsilon (1, 1),
// one term a step: signs are again (1, -1) or its opposite, and f = 2 (x_1 - x_2)^2 + 2 epsilon^2
// (x_1 + x_2)^2 does not fall below 8 epsilon^2. Its minimum is that of both terms, so with
// feedback the noise dies out and x goes all the way.
TEST(ErrorFeedback, ThirdCounterexample) {
    const auto stream = randomStream(2, "counterexample");
    const Gradient gradient = [&](const Point& x, int step) -> Point {
        const double side = stream.word(static_cast<std::uint64_t>(step)) % 2 == 0 ? 1 : -1;
        const Point a{side + kEpsilon, -side + kEpsilon};
        const double twice = 2 * (a[0] * x[0] + a[1] * x[1]);
        return {twice * a[0], twice * a[1]};
    };
    const auto f = [](const Point& x) {
        return 2 * std::pow(x[0] - x[1], 2) + 2 * std::pow(kEpsilon * (x[0] + x[1]), 2);
    };
    for (const Method method : {Method::Signs, Method::ScaledSigns}) {
        const auto seen = [&](const Point& x) { ASSERT_GE(f(x), 8 * kEpsilon * kEpsilon - 1e-3); };
        descend(method, {1.3, 0.7}, gradient, {.learningRate = 0.02, .steps = 2000, .seen = seen});
    }
    const Descent descent{.learningRate = 0.02, .steps = 4000};
    EXPECT_LE(f(descend(Method::Feedback, {1.3, 0.7}, gradient, descent)), 1e-6);
}

// Signs leave the row space and with it what generalises, though they fit the training points;
// error feedback comes back and ends where gradient descent does.
TEST(ErrorFeedback, SignsLeaveTheSpanOfTheDataAndFeedbackReturns) {
    const LeastSquares problem = makeLeastSquares(100, 1);
    for (const SpanMethod& method : spanMethods()) {
        SCOPED_TRACE(method.name);
        const std::vector<SpanPoint> curve = runSpanMethod(problem, method, 80);
        EXPECT_LE(curve.back().trainLoss, 0.05);
        if (method.name == "gd") {
            EXPECT_LE(curve.back().distanceFromSpan, 1e-5);
            EXPECT_LE(curve.back().testLoss, 0.01);
        } else if (method.name == "ef-signsgd") {
            EXPECT_GE(curve[9].distanceFromSpan, 1);  // out it goes as well
            EXPECT_LE(curve.back().distanceFromSpan, 0.2);
            EXPECT_LE(curve.back().testLoss, 0.01);
        } else {
            EXPECT_GE(curve.back().distanceFromSpan, 5);
            EXPECT_GE(curve.back().testLoss, 0.1);
        }
    }
}

// What was sent and what is held back is all there was: sum of C(p) + e_T = sum of g.
TEST(ErrorFeedback, SentPlusMemoryIsTheSumOfGradients) {
    const Shape shape{12, 30};
    struct Row {
        std::string name;
        Settings level, options{};
    };
    const Settings halves{{"values", std::string("fp16")}};
    const std::vector<Row> rows{{"topk", {{"ratio", 0.05}}},
                                {"topk", {{"ratio", 0.05}}, halves},
                                {"randomk", {{"ratio", 0.05}}},
                                {"threshold", {{"threshold", 2.0}}},
                                {"adacomp", {{"bin", std::int64_t{50}}}},
                                {"variance", {{"alpha", 2.0}}},
                                {"dgc", {{"ratio", 0.05}}},
                                {"none", {{"dtype", std::string("fp16")}}},
                                {"none", {{"dtype", std::string("bf16")}}},
                                {"natural", {{"coding", std::string("exponent")}}},
                                {"signsgd", signs("l1")},
                                {"onebit", {}},
                                {"powersgd", {{"rank", std::int64_t{2}}}}};
    for (const Row& row : rows) {
        SCOPED_TRACE(row.name + " " + toText(row.level) + " " + toText(row.options));
        FeedbackLoop loop(row.name, row.level, shape, true, row.options);
        at::Tensor sent = at::zeros({360}, at::kDouble);
        at::Tensor all = at::zeros({360}, at::kDouble);
        for (int step = 0; step < 50; ++step) {
            const at::Tensor gradient = normalTensor(shape, 100 + static_cast<std::uint64_t>(step));
            all += gradient;
            sent += loop.sent(gradient);
        }
        // Halves lose little, but something.
        EXPECT_GT(loop.memory().norm().item<double>(), row.name == "none" ? 1e-4 : 0.1);
        EXPECT_LE((sent + loop.memory() - all).abs().max().item<double>(), 1e-4);
    }
}

/// |x - C(x)|^2 / |x|^2 of one step, on a vector with a heavy tail.
double shareLeft(const std::string& name,
                 const Settings& level,
                 const at::Tensor& x,
                 const Settings& options = {}) {
    FeedbackLoop loop(name, level, {4, x.numel() / 4}, true, options);
    loop.sent(x);
    return loop.memory().to(at::kDouble).square().sum().item<double>() /
           x.to(at::kDouble).square().sum().item<double>();
}

/// Cubes of normal numbers: heavy tails.
at::Tensor heavyTensor(std::uint64_t seed) {
    const at::Tensor normal = normalTensor({4, 250}, seed);
    return normal * normal * normal;
}

// Definition 1 with the delta of each: |x - C(x)|^2 <= (1 - delta) |x|^2.
TEST(ErrorFeedback, ContractionsHaveTheirDelta) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const at::Tensor x = heavyTensor(seed);
        EXPECT_LE(shareLeft("topk", {{"ratio", 0.1}}, x), 1 - 0.1);
        const at::Tensor wide = x.to(at::kDouble);
        const double phi = std::pow(wide.abs().sum().item<double>(), 2) /
                           (1000 * wide.square().sum().item<double>());
        // Scaled signs leave exactly that; means per row and sign are the nearest such values.
        EXPECT_NEAR(shareLeft("signsgd", signs("l1"), x), 1 - phi, 1e-5);
        EXPECT_LE(shareLeft("onebit", {}, x), 1 - phi);
    }
}

// The same of those that choose entries by a rule of their own.
TEST(ErrorFeedback, SelectionsHaveTheirDelta) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const at::Tensor x = heavyTensor(seed);
        // What is left is below half the rms.
        EXPECT_LT(shareLeft("threshold", {{"threshold", 0.5}}, x), 0.25);
        // In a first step H = 2 G: what is left of a bin of T is below half its largest M, which
        // is sent: (T - 1) M^2 / 4 beside M^2 at most.
        EXPECT_LT(shareLeft("adacomp", {{"bin", std::int64_t{50}}}, x), 1 - 1 / (1 + 49 / 4.0));
        // At least 0.7 k of the largest.
        EXPECT_LT(shareLeft("dgc", {{"ratio", 0.1}}, x), 1 - 0.07);
        // r^2 > alpha v holds for all in a first step, or for none.
        EXPECT_EQ(shareLeft("variance", {{"alpha", 0.5}}, x), 0);
        EXPECT_EQ(shareLeft("variance", {{"alpha", 1.0}}, x), 1);
    }
}

// And of those that round: to 11 bits in fp16, to 8 in bf16, and what is below fp16's normal
// numbers to 2^-25. To the nearer or the farther power of two, 1/8 of the square is lost on the
// average at most (Horvath et al. 2019, theorem 1), and less than all always.
TEST(ErrorFeedback, RoundingsHaveTheirDelta) {
    double naturalShare = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const at::Tensor x = heavyTensor(seed);
        EXPECT_LE(shareLeft("none", {{"dtype", std::string("fp16")}}, x), 0x1p-22);
        EXPECT_LE(shareLeft("none", {{"dtype", std::string("bf16")}}, x), 0x1p-16);
        EXPECT_LE(shareLeft("topk", {{"ratio", 0.1}}, x, {{"values", std::string("fp16")}}),
                  1 - 0.1 * (1 - 0x1p-22));
        const double share = shareLeft("natural", {{"coding", std::string("exponent")}}, x);
        EXPECT_LT(share, 1);
        naturalShare += share / 20;
    }
    EXPECT_LE(naturalShare, 1 / 8.0);
}

}  // namespace
}  // namespace concertina
