// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <set>

#include "core/base/sha256.h"
#include "core/spec/run_spec.h"
#include "core/spec/spec_error.h"

namespace concertina {
namespace {

using ::testing::HasSubstr;

const std::string kMinimal =
    "data.name = \"fashion-mnist\"\nmodel.name = \"lenet5\"\n"
    "compress.name = \"topk\"\npolicy.name = \"accordion\"\n";

RunSpec specWith(const Overrides& overrides) { return parseRunSpec(kMinimal, "x", overrides); }

std::string failureOf(const std::string& json) {
    try {
        runSpecFromJson(json);
    } catch (const SpecError& error) {
        return error.what();
    }
    return "";
}

TEST(SpecJson, KeysAreSortedAndDefaultsFilledIn) {
    EXPECT_EQ(
        toJson(specWith({})),
        R"({"compress":{"error_decay":1.0,"error_feedback":true,"indices":"auto",)"
        R"("levels":[{"ratio":0.1},{"ratio":0.001}],)"
        R"("memory":"gradient","momentum_place":"after","name":"topk","scope":"layer",)"
        R"("values":"fp32"},)"
        R"("data":{"flip":false,"name":"fashion-mnist","pad_crop":0,)"
        R"("path":"/usr/share/datasets/fashion-mnist",)"
        R"("rotation":0.0,"test_samples":0,"train_samples":0},)"
        R"("model":{"name":"lenet5"},"name":"unnamed",)"
        R"("policy":{"eta":0.5,"interval_epochs":10,"lr_decay_rule":true,"min_mild_epochs":0,)"
        R"("name":"accordion","norm":"rank0-local"},)"
        R"("ranks":{"backend":"auto","count":2,"device":"auto",)"
        R"("loader_threads":1,"threads_per_rank":0},"seed":1,)"
        R"("train":{"batch_per_rank":64,"beta1":0.9,"beta2":0.999,)"
        R"("checkpoint_every_epochs":1,"checkpoint_keep":2,"clip_norm":0.0,)"
        R"("ema_decay":0.0,"epochs":30,"epsilon":1e-08,"eval_every_epochs":1,)"
        R"("label_smoothing":0.0,"lr":0.05,"lr_decay_epochs":[],"lr_decay_factor":0.1,)"
        R"("lr_end":0.0,"lr_power":1.0,"lr_schedule":"multi-step","lr_warmup_epochs":0,)"
        R"("lr_warmup_start":0.1,"momentum":0.9,"nesterov":false,"on_non_finite":"stop",)"
        R"("optimizer":"sgd","precision":"fp32","trust":0.001,"weight_decay":0.0001,)"
        R"("weight_decay_on":"all"}})");
}

TEST(SpecJson, TheHashLeavesOutNameSeedAndDefaults) {
    const std::string hash = specHash(specWith({}));
    // What stays of the spec, written by hand: the hash must survive keys that are invented later.
    EXPECT_EQ(
        hash,
        sha256Hex(
            R"({"compress":{"levels":[{"ratio":0.1},{"ratio":0.001}],"name":"topk"},)"
            R"("data":{"name":"fashion-mnist"},)"
            R"("model":{"name":"lenet5"},"policy":{"name":"accordion"},"ranks":{},"train":{}})")
            .substr(0, 16));
    EXPECT_EQ(specHash(specWith({{"name", "other"}, {"seed", "5"}})), hash);
    EXPECT_EQ(specHash(specWith(
                  {{"train.epochs", "30"}, {"compress.levels", "[{ratio=0.1},{ratio=0.001}]"}})),
              hash);
}

TEST(SpecJson, EveryOtherChangeGivesAnotherHash) {
    std::set<std::string> hashes{specHash(specWith({}))};
    const std::vector<std::pair<std::string, std::string>> changes{
        {"train.epochs", "31"},
        {"train.lr", "0.06"},
        {"train.lr_decay_epochs", "[1]"},
        {"ranks.count", "3"},
        {"ranks.device", "cpu"},
        {"compress.name", "powersgd"},
        {"compress.levels", "[{ratio=0.1},{ratio=0.01}]"},
        {"compress.error_feedback", "false"},
        {"compress.error_decay", "0.9"},
        {"compress.memory", "update"},
        {"compress.momentum_place", "before"},
        {"compress.indices", "int32"},
        {"policy.name", "static"},
        {"policy.eta", "0.4"},
        {"model.name", "mlp"},
        {"data.train_samples", "600"},
        {"link.latency_us", "200"}};
    for (const auto& change : changes) {
        EXPECT_TRUE(hashes.insert(specHash(specWith({change}))).second) << change.first;
    }
}

TEST(SpecJson, StoredTextThatIsNoSpecIsRefused) {
    EXPECT_THAT(failureOf(""), HasSubstr("stored spec: not a JSON object"));
    EXPECT_THAT(failureOf("[1, 2]"), HasSubstr("not a JSON object"));
    EXPECT_THAT(failureOf(std::string(100000, '[')), HasSubstr("not a JSON object"));
    EXPECT_THAT(failureOf(std::string(2000000, ' ')), HasSubstr("too large"));
    EXPECT_THAT(failureOf("{\"a\":\"\xff\"}"), HasSubstr("not a JSON object"));
    EXPECT_THAT(failureOf("{}"), HasSubstr("data.name: missing"));
    std::string json = toJson(specWith({}));
    json.replace(json.find("\"seed\":1"), 8, "\"seed\":18446744073709551615");
    EXPECT_THAT(failureOf(json), HasSubstr("seed: found an integer beyond 64 bits"));
    std::string null = toJson(specWith({}));
    null.replace(null.find("0.05"), 4, "null");
    EXPECT_THAT(failureOf(null), HasSubstr("train.lr: found null"));
}

}  // namespace
}  // namespace concertina
