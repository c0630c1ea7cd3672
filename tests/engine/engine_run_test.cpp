// SPDX-License-Identifier: Apache-2.0
// Real runs: the supervisor, real concertina-rank processes, real data, a real store.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "core/launch/supervisor.h"
#include "core/store/reader.h"
#include "core/store/writer.h"
#include "tests/engine/engine_runs.h"
#include "tests/support/data_choice.h"

namespace concertina {
namespace {

using ::testing::HasSubstr;

/// What a run to its end says of numbers that were not finite, and its epochs.
struct NonFiniteRun {
    std::vector<EventRow> events;
    std::vector<EpochRow> epochs;
};

/// Five layers whose weights grow a thousandfold and more in each step: after a few, no batch's
/// outputs are numbers any more.
RunSpec overflowingSpec(const std::string& onNonFinite) {
    RunSpec spec = quickSpec(2, 8);
    spec.model.options["hidden"] = std::vector<std::int64_t>{64, 64, 64, 64};
    spec.train["lr"] = 1000.0;
    spec.train["on_non_finite"] = onNonFinite;
    return spec;
}

class EngineRun : public EngineRuns {
 protected:
    NonFiniteRun runNonFinite(const RunSpec& spec) {
        const RunOutcome outcome = run(spec);
        EXPECT_EQ(outcome.exitCode, 0) << outcome.run.reason;
        EXPECT_EQ(outcome.run.status, RunStatus::Done);
        RunReader reader(store());
        NonFiniteRun met{reader.events(outcome.run.id), reader.epochs(outcome.run.id)};
        std::erase_if(met.events, [](const EventRow& event) { return event.kind != "non-finite"; });
        EXPECT_EQ(met.epochs.size(), static_cast<std::size_t>(integerOf(spec.train, "epochs")));
        return met;
    }
};

TEST_F(EngineRun, TrainsDecidesCountsAndRecords) {
    const RunSpec spec = quickSpec(2, 5);
    const RunOutcome outcome = run(spec);
    ASSERT_EQ(outcome.exitCode, 0) << outcome.run.reason;
    EXPECT_EQ(outcome.run.status, RunStatus::Done);
    EXPECT_EQ(outcome.run.weightsHash.size(), 64U);

    RunReader reader(store());
    const auto epochs = reader.epochs(outcome.run.id);
    ASSERT_EQ(epochs.size(), 5U);
    EXPECT_LT(epochs[4].trainLoss, epochs[0].trainLoss);
    EXPECT_GT(*epochs[4].testAccuracy, 0.5);
    EXPECT_EQ(reader.steps(outcome.run.id).size(), 20U);

    // Bytes by hand. fc1.weight 32 x 784 = 25,088: 2,509 kept at 0.1, each with 3 lower index bits
    // (236 words) in a bitmap of 2,509 + 3,135 bits (177 words); fc2.weight 10 x 32 = 320: 32 kept,
    // 3 words and 32 + 39 bits (3 words); biases 32 + 10 floats. 4 steps, all mild in epoch 0.
    const double mild = 4 * 4 * (2509 + 236 + 177 + 32 + 3 + 3 + 42);
    EXPECT_EQ(epochs[0].payloadBytes, mild);
    // All-gather among 2 ranks sends the payload once, all-reduce 2(2-1)/2 = 1 times.
    EXPECT_EQ(epochs[0].wireBytes, mild);
    EXPECT_EQ(epochs[0].denseFp32WireBytes, 4 * (25088 + 320 + 42) * 4);

    const auto layers = reader.layers(outcome.run.id);
    ASSERT_EQ(layers.size(), 4U);
    EXPECT_EQ(layers[0].name, "fc1.weight");
    EXPECT_EQ(layers[0].shape, (Shape{32, 784}));
    for (const LayerEpochRow& row : reader.layerEpochs(outcome.run.id)) {
        EXPECT_GT(row.norm, 0);
        EXPECT_EQ(row.level >= 0, layers[static_cast<std::size_t>(row.layer)].compressible);
    }
    // Two compressible layers: decisions for epoch 0, then at the end of epoch 2 for epoch 3.
    const auto decisions = reader.decisions(outcome.run.id);
    ASSERT_EQ(decisions.size(), 4U);
    EXPECT_EQ(decisions[0].reason, Reason::Initial);
    EXPECT_EQ(decisions[2].epoch, 3);
    EXPECT_EQ(decisions[2].normEpoch, 2);
    EXPECT_EQ(decisions[2].previousEpoch, 0);
    EXPECT_TRUE(ranksOf(outcome.run.id).empty());
}

TEST_F(EngineRun, SameSeedGivesTheSameWeightsAndBytesAndAnotherSeedOthers) {
    for (const int ranks : {1, 2, 3}) {
        RunSpec spec = quickSpec(ranks, 3);
        const RunRow first = run(spec).run, second = run(spec).run;
        ASSERT_EQ(first.status, RunStatus::Done) << first.reason;
        EXPECT_EQ(first.weightsHash, second.weightsHash) << ranks << " ranks";
        EXPECT_EQ(first.wireBytes, second.wireBytes);
        EXPECT_EQ(first.testAccuracy, second.testAccuracy);
        spec.seed = 2;
        EXPECT_NE(run(spec).run.weightsHash, first.weightsHash);
    }
}

TEST_F(EngineRun, LoaderThreadsChangeNothing) {
    RunSpec spec = quickSpec(2, 2);
    spec.data.options["pad_crop"] = std::int64_t{2};
    spec.data.options["flip"] = true;
    spec.ranks["loader_threads"] = std::int64_t{0};
    const RunRow none = run(spec).run;
    spec.ranks["loader_threads"] = std::int64_t{3};
    const RunRow three = run(spec).run;
    ASSERT_EQ(three.status, RunStatus::Done) << three.reason;
    EXPECT_EQ(none.weightsHash, three.weightsHash);
}

/// A small LSTM on a small text: 40 words, so few that it learns them.
RunSpec textSpec(const std::filesystem::path& folder) {
    std::string text;
    for (int line = 0; line < 100; ++line) {
        for (int word = 0; word < 19; ++word) {
            text += "w" + std::to_string((7 * word + line % 2) % 40) + " ";
        }
        text += "\n";
    }
    std::ofstream(folder / "wiki.train.tokens") << text;
    std::ofstream(folder / "wiki.test.tokens") << text.substr(0, text.size() / 5);
    RunSpec spec = quickSpec(2, 6);
    spec.data = dataChoice("text", {{"path", folder.string()}, {"window", std::int64_t{10}}});
    spec.model = modelChoice(
        "lstm_lm", {{"hidden", std::int64_t{32}}, {"layers", std::int64_t{2}}, {"dropout", 0.3}});
    spec.train["batch_per_rank"] = std::int64_t{4};
    spec.train["optimizer"] = std::string("adam");
    spec.train["lr"] = 0.01;
    spec.train["weight_decay"] = 0.0;
    return spec;
}

TEST_F(EngineRun, ALanguageModelLearnsItsText) {
    const RunRow row = run(textSpec(folder_.path())).run;
    ASSERT_EQ(row.status, RunStatus::Done) << row.reason;
    RunReader reader(store());
    const auto epochs = reader.epochs(row.id);
    ASSERT_EQ(epochs.size(), 6U);
    EXPECT_EQ(epochs[0].steps, 24);  // 2,000 words are 199 windows: 8 streams of 24, 7 left out
    EXPECT_LT(epochs[5].trainLoss, 0.9 * epochs[0].trainLoss);
    EXPECT_LT(*row.testLoss, *epochs[0].testLoss);
    EXPECT_GT(*row.testAccuracy, 1.0 / 41);
}

TEST_F(EngineRun, DropoutDrawsTheSameWithAndWithoutCompression) {
    // A rate this small changes no weight: losses then differ by what dropout and the data draw,
    // and only by that.
    RunSpec compressed = textSpec(folder_.path());
    compressed.train["lr"] = 1e-30;
    compressed.train["epochs"] = std::int64_t{1};
    RunSpec dense = compressed;
    dense.compress = compressorAtDefaults("none");
    dense.levels = findCompressor("none")->defaultLevels;
    dense.policy = {"static", {{"level", std::int64_t{0}}}};
    const auto lossesOf = [&](const RunSpec& spec) {
        std::vector<double> losses;
        const std::string id = run(spec).run.id;  // which makes the store
        for (const StepRow& step : RunReader(store()).steps(id)) {
            losses.push_back(step.loss);
        }
        return losses;
    };
    const auto losses = lossesOf(compressed);
    EXPECT_EQ(losses, lossesOf(dense));
    ASSERT_GT(losses.size(), 2U);
    EXPECT_NE(losses[0], losses[1]);
}

TEST_F(EngineRun, ValuesHaveALossAndNoAccuracy) {
    RunSpec spec = quickSpec(2, 4);
    spec.data = dataChoice("regression", {{"train_samples", std::int64_t{1024}}});
    spec.model = modelChoice("mlp", {{"hidden", std::vector<std::int64_t>{}}});
    spec.compress = compressorAtDefaults("none");
    spec.levels = findCompressor("none")->defaultLevels;
    spec.policy = {"static", {{"level", std::int64_t{0}}}};
    spec.train["lr"] = 0.1;
    spec.train["momentum"] = 0.0;
    const RunRow row = run(spec).run;
    ASSERT_EQ(row.status, RunStatus::Done) << row.reason;
    EXPECT_EQ(row.testAccuracy, std::nullopt);
    // The noise's square is 0.01, of 1,024 samples to 0.0005; each of 32 steps leaves 0.8 of the
    // distance to the best weights.
    EXPECT_NEAR(*row.testLoss, 0.01, 0.003);
}

TEST_F(EngineRun, AModelThatCannotTakeTheTextIsRefusedBeforeARankStarts) {
    RunSpec spec = textSpec(folder_.path());
    spec.model = modelChoice("resnet20");
    EXPECT_THAT(launchProblems(spec, request(spec).rankProgram),
                ::testing::ElementsAre(HasSubstr("model.name: resnet20 needs images")));
    spec = textSpec(folder_.path());
    spec.train["batch_per_rank"] = std::int64_t{1000};
    EXPECT_THAT(launchProblems(spec, request(spec).rankProgram),
                ::testing::ElementsAre(HasSubstr("takes 2000 samples a step, allowed: at most the "
                                                 "199 training samples")));
}

TEST_F(EngineRun, OneRankCompressesAndSendsNothing) {
    const RunRow row = run(quickSpec(1, 2)).run;
    EXPECT_EQ(row.status, RunStatus::Done);
    EXPECT_EQ(row.wireBytes, 0);
    EXPECT_EQ(row.denseFp32WireBytes, 0);
    EXPECT_GT(row.payloadBytes, 0);
    EXPECT_LT(row.payloadBytes, row.denseFp32PayloadBytes);
}

TEST_F(EngineRun, LosslessCompressionTrainsLikeNone) {
    // Rank 32 is the full rank of both layers (32 x 784, 10 x 32), and 2 ranks' means of the same
    // numbers differ only by rounding.
    RunSpec dense = quickSpec(2, 2), full = quickSpec(2, 2);
    dense.compress = compressorAtDefaults("none");
    dense.levels = findCompressor("none")->defaultLevels;
    dense.policy = {"static", {{"level", std::int64_t{0}}}};
    full.compress = compressorAtDefaults("powersgd");
    full.levels = {{{"rank", std::int64_t{32}}}};
    full.policy = dense.policy;
    const RunRow a = run(dense).run, b = run(full).run;
    ASSERT_EQ(a.status, RunStatus::Done) << a.reason;
    ASSERT_EQ(b.status, RunStatus::Done) << b.reason;
    EXPECT_NEAR(*a.testLoss, *b.testLoss, 1e-3);
}

TEST_F(EngineRun, NonFiniteTrainingEndsDivergedAndNamesThePlace) {
    RunSpec spec = quickSpec(2, 50);
    spec.train["lr"] = 1000.0;
    const RunOutcome outcome = run(spec);
    EXPECT_EQ(outcome.exitCode, 4);
    EXPECT_EQ(outcome.run.status, RunStatus::Diverged);
    EXPECT_THAT(outcome.run.reason, HasSubstr("is not finite on rank"));
    RunReader reader(store());
    const auto events = reader.events(outcome.run.id);
    const auto bad = std::find_if(events.begin(), events.end(),
                                  [](const EventRow& event) { return event.kind == "non-finite"; });
    ASSERT_NE(bad, events.end());
    EXPECT_GE(bad->step, 1);
    EXPECT_GE(bad->rank, 0);
    const auto steps = reader.steps(outcome.run.id);
    EXPECT_EQ(steps.back().step, bad->step) << "the step itself is kept, with the loss it had";
}

TEST_F(EngineRun, NonFiniteStepsAreSkippedOnAllRanksWhenAskedFor) {
    const NonFiniteRun met = runNonFinite(overflowingSpec("skip"));
    ASSERT_GE(met.events.size(), 2U);
    for (std::size_t i = 0; i < met.events.size(); ++i) {
        EXPECT_GE(met.events[i].rank, 0);
        EXPECT_THAT(met.events[i].message, HasSubstr("is not finite on rank"));
        EXPECT_THAT(met.events[i].message, HasSubstr(": the step is left out"));
        EXPECT_TRUE(i == 0 || met.events[i].epoch > met.events[i - 1].epoch) << "once an epoch";
    }
    // The weights went too far for any batch: from there on they stand still.
    EXPECT_EQ(met.epochs[7].weightsHash, met.epochs[6].weightsHash);
}

TEST_F(EngineRun, NonFiniteLayersCountAsZerosWhenTrainingContinues) {
    const NonFiniteRun met = runNonFinite(overflowingSpec("continue"));
    ASSERT_GE(met.events.size(), 2U);
    EXPECT_THAT(met.events[0].message, HasSubstr(": what is finite goes on"));
    EXPECT_NE(met.epochs[7].weightsHash, met.epochs[6].weightsHash) << "momentum and decay act";
}

TEST_F(EngineRun, InterruptStoresWhatWasRecorded) {
    volatile int signal = 0;
    RunRequest asked = request(quickSpec(2, 2000));
    asked.interruptSignal = &signal;
    RunObserver observer;
    observer.epoch = [&](const EpochRow& row) { signal = row.epoch >= 1 ? SIGINT : 0; };
    const RunOutcome outcome = superviseRun(asked, observer);
    EXPECT_EQ(outcome.exitCode, 130);
    EXPECT_EQ(outcome.run.status, RunStatus::Stopped);
    EXPECT_GE(outcome.run.epochsDone, 2);
    EXPECT_EQ(outcome.run.weightsHash.size(), 64U);
    EXPECT_TRUE(ranksOf(outcome.run.id).empty());
}

TEST_F(EngineRun, PauseHoldsTheRunAndItsTrainingTime) {
    RunWriter writer(store());
    std::atomic<int> asked = 0;
    std::string id;
    RunObserver observer;
    observer.started = [&](const RunRow& row) { id = row.id; };
    std::thread resume;
    observer.epoch = [&](const EpochRow&) {
        if (asked++ == 0) {
            writer.requestControl(id, "pause");
            resume = std::thread([&] {
                std::this_thread::sleep_for(std::chrono::seconds(3));
                RunWriter(store()).requestControl(id, "continue");
            });
        }
    };
    RunSpec spec = quickSpec(2, 60);
    const RunOutcome outcome = superviseRun(request(spec), observer);
    resume.join();
    EXPECT_EQ(outcome.run.status, RunStatus::Done) << outcome.run.reason;
    const double wall = static_cast<double>(outcome.run.finishedMs - outcome.run.startedMs) / 1000;
    EXPECT_GT(wall - outcome.run.trainSeconds, 2.0) << "the pause is not training time";
}

/// Sends `signal` to rank 1 once the first epoch is in, and expects the run to fail by its fault.
class LostRank : public EngineRun {
 protected:
    RunOutcome loseRankOne(int signal, std::chrono::seconds limit) {
        std::string id;
        RunRequest asked = request(quickSpec(3, 100000));
        asked.stallTimeout = std::chrono::seconds(5);
        std::atomic<bool> sent = false;
        RunObserver observer;
        observer.started = [&](const RunRow& row) { id = row.id; };
        observer.epoch = [&](const EpochRow&) {
            if (!sent.exchange(true)) {
                ::kill(ranksOf(id).at(1), signal);
                sentAt_ = std::chrono::steady_clock::now();
            }
        };
        const RunOutcome outcome = superviseRun(asked, observer);
        EXPECT_TRUE(sent) << outcome.run.reason;
        EXPECT_LT(std::chrono::steady_clock::now() - sentAt_, limit);
        EXPECT_TRUE(ranksOf(id).empty());
        return outcome;
    }
    std::chrono::steady_clock::time_point sentAt_;
};

TEST_F(LostRank, KilledRankEndsTheRunWithinTenSeconds) {
    const RunOutcome outcome = loseRankOne(SIGKILL, std::chrono::seconds(10));
    EXPECT_EQ(outcome.exitCode, 5);
    EXPECT_EQ(outcome.run.status, RunStatus::Failed);
    EXPECT_THAT(outcome.run.reason, HasSubstr("rank 1"));
    EXPECT_THAT(outcome.run.reason, HasSubstr("SIGKILL"));
}

TEST_F(LostRank, StoppedRankEndsTheRunWithinThirtySeconds) {
    const RunOutcome outcome = loseRankOne(SIGSTOP, std::chrono::seconds(30));
    EXPECT_EQ(outcome.exitCode, 5);
    EXPECT_EQ(outcome.run.status, RunStatus::Failed);
    EXPECT_THAT(outcome.run.reason, HasSubstr("rank 1"));
}

TEST_F(EngineRun, TwoRunsAtOnceShareAStore) {
    RunOutcome first, second;
    std::thread other([&] { second = run(quickSpec(2, 4)); });
    first = run(quickSpec(2, 4));
    other.join();
    EXPECT_EQ(first.exitCode, 0) << first.run.reason;
    EXPECT_EQ(second.exitCode, 0) << second.run.reason;
    EXPECT_NE(first.run.id, second.run.id);
    EXPECT_EQ(first.run.weightsHash, second.run.weightsHash);
}

TEST_F(EngineRun, SlowLinkPacesTheRun) {
    // Dense: 4 steps of 101,800 wire bytes at 2 Mbit/s cannot take less than 1.6 s an epoch.
    RunSpec spec = quickSpec(2, 1);
    spec.compress = compressorAtDefaults("none");
    spec.levels = findCompressor("none")->defaultLevels;
    spec.policy = {"static", {{"level", std::int64_t{0}}}};
    spec.link = Settings{{"bandwidth_mbps", 2.0}, {"latency_us", 0.0}};
    const RunRow row = run(spec).run;
    EXPECT_EQ(row.status, RunStatus::Done) << row.reason;
    EXPECT_GE(row.trainSeconds, 4 * 101800 * 8 / 2e6);
}

}  // namespace
}  // namespace concertina
