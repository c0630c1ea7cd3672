// SPDX-License-Identifier: Apache-2.0
#include "core/launch/launch_checks.h"

#include <gmock/gmock.h>

#include "core/base/error.h"

namespace concertina {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

RunSpec specFor(const std::string& device,
                const std::string& backend,
                std::int64_t count,
                std::int64_t threads = 0) {
    RunSpec spec;
    spec.ranks = {
        {"count", count}, {"device", device}, {"backend", backend}, {"threads_per_rank", threads}};
    return spec;
}

std::string resolved(const RunSpec& spec, const EngineProbe& engine) {
    const RunSpec answer = resolveMachine(spec, engine);
    return textOf(answer.ranks, "device") + "/" + textOf(answer.ranks, "backend");
}

const EngineProbe kCpuEngine{.torchVersion = "2.15.0", .backends = {"gloo"}};
const EngineProbe kTwoGpus{
    .torchVersion = "2.15.0", .cudaBuilt = true, .gpus = 2, .backends = {"gloo", "nccl"}};

TEST(LaunchChecks, AutoTakesCudaWhenThereIsAGpuForEachRank) {
    EXPECT_EQ(resolved(specFor("auto", "auto", 2), kTwoGpus), "cuda/nccl");
    EXPECT_EQ(resolved(specFor("auto", "auto", 3), kTwoGpus), "cpu/gloo");
    EXPECT_EQ(resolved(specFor("auto", "auto", 2), kCpuEngine), "cpu/gloo");
    EXPECT_EQ(resolved(specFor("cpu", "auto", 2), kTwoGpus), "cpu/gloo");
    EXPECT_EQ(resolved(specFor("cuda", "auto", 4), kTwoGpus), "cuda/gloo");
    EXPECT_EQ(resolved(specFor("cuda", "gloo", 2), kTwoGpus), "cuda/gloo");
}

TEST(LaunchChecks, CpuRunsNeedNothingOfTheMachine) {
    EXPECT_THAT(machineProblems(specFor("auto", "auto", 64), kCpuEngine, false), IsEmpty());
    EXPECT_THAT(machineProblems(specFor("cpu", "gloo", 64), kCpuEngine, false), IsEmpty());
    EXPECT_THAT(machineProblems(specFor("cuda", "nccl", 2), kTwoGpus, true), IsEmpty());
}

TEST(LaunchChecks, EachReasonAgainstCudaHasItsSentence) {
    EXPECT_THAT(machineProblems(specFor("cuda", "auto", 2), kCpuEngine, true),
                ElementsAre(HasSubstr("concertina-rank was built without CUDA")));
    EXPECT_THAT(machineProblems(specFor("cuda", "auto", 2), kTwoGpus, false),
                ElementsAre(HasSubstr("no usable NVIDIA GPU")));
    EXPECT_THAT(
        machineProblems(specFor("cuda", "nccl", 4), kTwoGpus, true),
        ElementsAre(HasSubstr(
            "ranks.count is 4, but NCCL needs a GPU for each rank and this machine has 2")));
    EXPECT_THAT(
        machineProblems(specFor("cpu", "nccl", 2), kTwoGpus, true),
        ElementsAre(HasSubstr("ranks.backend is nccl, which needs GPUs, but ranks.device is cpu")));
}

TEST(LaunchChecks, ThreadsAreAsAskedOrAnEqualShare) {
    EXPECT_EQ(threadsPerRank(specFor("cpu", "gloo", 2), 8), 4);
    EXPECT_EQ(threadsPerRank(specFor("cpu", "gloo", 16), 8), 1);
    EXPECT_EQ(threadsPerRank(specFor("cpu", "gloo", 2, 3), 8), 3);
}

TEST(LaunchChecks, ProbeOutputIsReadStrictly) {
    const EngineProbe probe = parseProbe(
        R"({"torch": "2.15.0", "cuda_built": true, "gpus": ["A", "B"], "backends": ["gloo"]})");
    EXPECT_EQ(probe.torchVersion, "2.15.0");
    EXPECT_EQ(probe.gpus, 2);
    EXPECT_TRUE(probe.hasBackend("gloo"));
    EXPECT_FALSE(probe.hasBackend("nccl"));
    EXPECT_EQ(parseProbe(R"({"torch": "x", "cuda_built": false, "gpus": 0, "backends": []})").gpus,
              0);
    EXPECT_THROW(parseProbe("Segmentation fault"), Error);
    EXPECT_THROW(parseProbe(R"({"torch": 2})"), Error);
}

TEST(LaunchChecks, AProbeThatFailsSaysSo) {
    try {
        probeEngine("/bin/false");
        ADD_FAILURE() << "probed";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("/bin/false --probe failed (exit code 1)"));
    }
}

}  // namespace
}  // namespace concertina
