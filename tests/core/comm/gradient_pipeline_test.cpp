// SPDX-License-Identifier: Apache-2.0
// The pipeline behind a real c10d::Reducer: a linear model whose gradients are known.
#include "core/comm/gradient_pipeline.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <limits>

#include "core/comm/reducer.h"
#include "tests/support/compress_choice.h"
#include "tests/support/thread_ranks.h"

namespace concertina {
namespace {

using test::runRanks;
using test::ThreadRank;

/// loss = sum(w * x) + sum(b): the gradient of w is x, of b is 1.
struct Rig {
    Rig(ThreadRank& self, const RunSpec& spec)
        : w(at::zeros({64, 32}).requires_grad_()),
          b(at::zeros({64}).requires_grad_()),
          link(self.group("gradients"), self.worldSize, self.slot),
          pipeline(spec, {self.rank, self.worldSize, 1}, {"w", "b"}, {w, b}, link, true) {
        auto group = c10::make_intrusive<c10d::ProcessGroup>(self.store, self.rank, self.worldSize);
        group->setBackend(c10::kCPU, c10d::ProcessGroup::BackendType::GLOO, self.group("reducer"));
        group->setDefaultBackend(c10d::ProcessGroup::BackendType::GLOO);
        reducer = makeReducer({w, b}, {"w", "b"}, group, pipeline.wantsOneBucket());
        reducer->register_comm_hook(pipeline.makeHook());
    }

    void backward(const at::Tensor& x) {
        for (const at::Tensor& parameter : {w, b}) {
            if (parameter.grad().defined()) {
                parameter.grad().zero_();
            }
        }
        reducer->prepare_for_forward();
        reducer->rebuild_buckets();
        at::Tensor loss = (w * x).sum() + b.sum();
        reducer->prepare_for_backward({});
        loss.backward();
    }

    at::Tensor w, b;
    Collectives link;
    GradientPipeline pipeline;
    std::unique_ptr<c10d::Reducer> reducer;
};

RunSpec powersgd() {
    RunSpec spec = defaultRunSpec();
    spec.compress = compressorAtDefaults("powersgd");
    spec.levels = {{{"rank", std::int64_t{4}}}, {{"rank", std::int64_t{1}}}};
    return spec;
}

at::Tensor input(int rank) {
    return at::arange(64 * 32, at::kFloat).view({64, 32}) * static_cast<float>(rank + 1);
}

TEST(GradientPipeline, MeanArrivesInTheGradientsAndNormsAreOfTheLocalOnes) {
    runRanks(2, [](ThreadRank& self) {
        RunSpec spec = defaultRunSpec();
        spec.compress = compressorAtDefaults("none");
        spec.levels = findCompressor("none")->defaultLevels;
        Rig rig(self, spec);
        for (int step = 0; step < 3; ++step) {
            rig.backward(input(self.rank));
            EXPECT_FALSE(rig.pipeline.firstNonFinite());
            EXPECT_TRUE(rig.w.grad().equal(input(0) * 1.5F));
            EXPECT_TRUE(rig.b.grad().eq(1.0F).all().item<bool>());
            rig.pipeline.commitStep();
        }
        const auto& layers = rig.pipeline.layers();
        const double local = input(self.rank).to(at::kDouble).norm().item<double>();
        EXPECT_NEAR(epochNorm(layers[0]), 3 * local, 1e-6 * local);
        EXPECT_DOUBLE_EQ(epochNorm(layers[1]), 3 * 8.0);
        EXPECT_EQ(layers[0].payloadBytes, 3 * 64 * 32 * 4);
        rig.pipeline.beginEpoch();
        EXPECT_EQ(layers[0].payloadBytes, 0);
        EXPECT_EQ(epochNorm(layers[0]), 0);
    });
}

TEST(GradientPipeline, LevelsChangeBetweenStepsAndRanksStayEqual) {
    runRanks(3, [](ThreadRank& self) {
        Rig rig(self, powersgd());
        for (int step = 0; step < 6; ++step) {
            rig.pipeline.setLevels({step % 2, 0});
            rig.backward(input(self.rank) + static_cast<float>(step));
            rig.pipeline.commitStep();
            at::Tensor rows = at::zeros({3, 64 * 32}, at::kFloat);
            rig.link.gather(rig.w.grad().flatten(), rows, Traffic::Metric);
            EXPECT_TRUE(rows[1].equal(rows[0]));
            EXPECT_TRUE(rows[2].equal(rows[0]));
        }
    });
}

TEST(GradientPipeline, NamesTheFirstNonFiniteLayerOfThisRank) {
    runRanks(2, [](ThreadRank& self) {
        Rig rig(self, powersgd());
        at::Tensor x = input(self.rank);
        if (self.rank == 1) {
            x[3][4] = std::numeric_limits<float>::infinity();
        }
        rig.backward(x);
        EXPECT_EQ(rig.pipeline.firstNonFinite(),
                  self.rank == 1 ? std::optional<int>(0) : std::nullopt);
        rig.pipeline.discardStep();
        EXPECT_FALSE(rig.pipeline.firstNonFinite());
    });
}

TEST(GradientPipeline, FailureOfACollectiveReachesBackward) {
    runRanks(2, [](ThreadRank& self) {
        auto rig = std::make_unique<Rig>(self, powersgd());
        rig->backward(input(self.rank));
        rig->pipeline.commitStep();
        if (self.rank == 1) {
            return;
        }
        EXPECT_ANY_THROW({
            for (int step = 0; step < 3; ++step) {
                rig->backward(input(self.rank));
            }
        });
    });
}

}  // namespace
}  // namespace concertina
