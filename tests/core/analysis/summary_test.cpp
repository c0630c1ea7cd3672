// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/summary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace concertina {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

RunRow finishedRun() {
    RunRow run;
    run.id = "run000000001";
    run.name = "first \"quoted\"";
    run.status = RunStatus::Done;
    run.epochsDone = 3;
    run.testAccuracy = 0.5;
    run.testLoss = 1.25;
    run.wireBytes = 1000;
    run.payloadBytes = 500.5;
    run.denseFp32WireBytes = 4000;
    run.decisionWireBytes = 12;
    run.mildShare = 0.25;
    run.weightsHash = "abc";
    run.trainSeconds = 2.5;
    run.ranks = 2;
    run.device = "cpu";
    run.backend = "gloo";
    return run;
}

TEST(Summary, ALineHasExactlyTheFieldsThatScriptsRelyOn) {
    const std::vector<LayerRow> layers = {{0, "conv1.weight", {6, 1, 5, 5}, true}};
    const std::vector<Decision> decisions = {{0, 0, 0, Reason::Initial, {}, {}, -1, -1, {}, {}},
                                             {2, 0, 1, Reason::Stable, 1.5, 2.0, 1, 0, 0.25, 0.5}};
    EXPECT_EQ(
        summaryJson(summarize(finishedRun(), layers, decisions)),
        R"({"event":"summary","run":"run000000001","name":"first \"quoted\"","status":"done",)"
        R"("reason":"","epochs":3,"test_accuracy":0.5,"test_loss":1.25,"wire_bytes":1000,)"
        R"("payload_bytes":500.5,"dense_fp32_wire_bytes":4000,"decision_wire_bytes":12,)"
        R"("ratio":4,"mild_share":0.25,"decisions":[)"
        R"({"epoch":0,"layer":"conv1.weight","level":0,"reason":"initial","norm":null,)"
        R"("previous_norm":null,"ratio":null,"eta":null},)"
        R"({"epoch":2,"layer":"conv1.weight","level":1,"reason":"stable","norm":1.5,)"
        R"("previous_norm":2,"ratio":0.25,"eta":0.5}],)"
        R"("weights_hash":"abc","train_seconds":2.5,"ranks":2,"device":"cpu",)"
        R"("backend":"gloo"})");
}

TEST(Summary, ARunOnTextHasAPerplexity) {
    RunRow run = finishedRun();
    EXPECT_EQ(testPerplexity(run), std::nullopt);
    run.dataset = "text";
    EXPECT_DOUBLE_EQ(*testPerplexity(run), std::exp(1.25));
    EXPECT_NE(
        summaryJson(summarize(run, {}, {})).find(R"("test_loss":1.25,"test_perplexity":3.49034)"),
        std::string::npos);
    run.testLoss.reset();
    EXPECT_EQ(testPerplexity(run), std::nullopt);
}

TEST(Summary, NonFiniteNumbersAreNullAndNamed) {
    RunRow run = finishedRun();
    run.testAccuracy = std::nullopt;
    run.testLoss = kNan;
    const std::string line = summaryJson(summarize(run, {}, {}));
    EXPECT_NE(
        line.find(R"("test_accuracy":null,"test_loss":null,"non_finite":{"test_loss":"nan"})"),
        std::string::npos)
        << line;
    const Decision decision{4, 7, 0, Reason::NonFinite, -kInf, kNan, 3, 1, {}, 0.5};
    EXPECT_EQ(decisionJson("run000000001", {decision, "conv1.weight"}),
              R"({"event":"decision","run":"run000000001","epoch":4,"layer":"conv1.weight",)"
              R"("level":0,"reason":"non-finite","norm":null,)"
              R"("non_finite":{"norm":"-inf","previous_norm":"nan"},"previous_norm":null,)"
              R"("ratio":null,"eta":0.5})");
}

TEST(Summary, OneRankHasNoRatioAndAnUnknownLayerANumber) {
    RunRow run = finishedRun();
    run.ranks = 1;
    run.wireBytes = run.denseFp32WireBytes = 0;
    const std::vector<Decision> decisions = {{0, 7, 0, Reason::Fixed, {}, {}, -1, -1, {}, {}}};
    const RunSummary summary = summarize(run, {}, decisions);
    EXPECT_EQ(summary.ratio, std::nullopt);
    EXPECT_EQ(summary.decisions.at(0).layer, "layer 7");
}

TEST(Summary, TextThatIsNoUtf8StillMakesALine) {
    RunRow run = finishedRun();
    run.reason = "bad \xff byte";
    EXPECT_NE(summaryJson(summarize(run, {}, {})).find("bad \xEF\xBF\xBD byte"), std::string::npos);
}

}  // namespace
}  // namespace concertina
