// SPDX-License-Identifier: Apache-2.0
#include "core/launch/launch_checks.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/catalogue/catalogue.h"
#include "core/launch/supervisor.h"

namespace concertina {
namespace {

int rankCount(const RunSpec& spec) { return static_cast<int>(integerOf(spec.ranks, "count")); }

bool asksForCuda(const RunSpec& spec) {
    return textOf(spec.ranks, "device") == "cuda" || textOf(spec.ranks, "backend") == "nccl";
}

/// What is wrong with the files; where they decide the form, what does not go with it.
std::vector<std::string> dataProblems(const RunSpec& spec) {
    const DatasetDescriptor* dataset = findDataset(spec.data.name);
    const ModelDescriptor* model = findModel(spec.model.name);
    CONCERTINA_CHECK(dataset != nullptr && model != nullptr,
                     "a validated spec names a data set and a model: " + spec.data.name);
    std::vector<std::string> problems = dataset->problems(spec.data.options);
    if (!problems.empty() || !dataset->formNeedsFiles) {
        return problems;
    }
    const DataForm form = dataset->formOf(spec.data.options);
    for (const auto& [key, problem] :
         {std::pair("model.name", modelProblem(*model, spec.model.options, form)),
          std::pair("train.batch_per_rank", stepProblem(spec, form))}) {
        if (!problem.empty()) {
            problems.push_back(std::string(key) + ": " + problem);
        }
    }
    return problems;
}

/// An engine that nobody needs to ask: without a driver there is no CUDA.
EngineProbe cpuEngine() { return {.backends = {"gloo"}}; }

}  // namespace

std::filesystem::path defaultRankProgram() {
    if (const char* path = std::getenv("CONCERTINA_RANK_PROGRAM");
        path != nullptr && *path != '\0') {
        return path;
    }
    std::error_code error;
    return std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / "concertina-rank";
}

RunSpec resolveMachine(const RunSpec& spec, const EngineProbe& engine) {
    RunSpec resolved = spec;
    std::string device = textOf(spec.ranks, "device");
    std::string backend = textOf(spec.ranks, "backend");
    if (device == "auto") {
        const bool enough = engine.cudaBuilt && engine.gpus >= rankCount(spec);
        device = enough && backend != "gloo" ? "cuda" : "cpu";
    }
    if (backend == "auto") {
        backend = device == "cuda" && engine.gpus >= rankCount(spec) ? "nccl" : "gloo";
    }
    resolved.ranks["device"] = device;
    resolved.ranks["backend"] = backend;
    return resolved;
}

RunSpec resolveMachine(const RunSpec& spec, const std::filesystem::path& rankProgram) {
    const bool open =
        textOf(spec.ranks, "device") == "auto" || textOf(spec.ranks, "backend") == "auto";
    return resolveMachine(spec, open && hasGpuDriver() ? probeEngine(rankProgram) : cpuEngine());
}

std::vector<std::string> machineProblems(const RunSpec& spec,
                                         const EngineProbe& engine,
                                         bool gpuDriver) {
    if (!asksForCuda(spec)) {
        return {};
    }
    const std::string key =
        textOf(spec.ranks, "device") == "cuda" ? "ranks.device is cuda" : "ranks.backend is nccl";
    if (textOf(spec.ranks, "device") == "cpu") {
        return {
            "ranks.backend is nccl, which needs GPUs, but ranks.device is cpu: use gloo or auto"};
    }
    if (!engine.cudaBuilt) {
        return {key +
                ", but concertina-rank was built without CUDA: run installer/setup.sh --cuda and "
                "build with "
                "-D WITH_CUDA_ENGINE=ON, or use device = \"auto\""};
    }
    if (!gpuDriver || engine.gpus == 0) {
        return {key +
                ", but this machine has no usable NVIDIA GPU (no driver, or no device visible): "
                "use device = "
                "\"auto\" or \"cpu\""};
    }
    if (engine.gpus < rankCount(spec) && textOf(spec.ranks, "backend") == "nccl") {
        return {fmt::format(
            "ranks.count is {}, but NCCL needs a GPU for each rank and this machine has {}: use "
            "backend = \"gloo\" to share GPUs, or at most {} ranks",
            rankCount(spec), engine.gpus, engine.gpus)};
    }
    return {};
}

std::vector<std::string> launchProblems(const RunSpec& spec,
                                        const std::filesystem::path& rankProgram) {
    std::vector<std::string> problems = dataProblems(spec);
    if (::access(rankProgram.c_str(), X_OK) != 0) {
        problems.push_back(
            rankProgram.string() +
            " is missing or cannot be run: it is built with this program and belongs beside it");
    } else if (asksForCuda(spec)) {
        try {
            const auto machine = machineProblems(spec, probeEngine(rankProgram), hasGpuDriver());
            problems.insert(problems.end(), machine.begin(), machine.end());
        } catch (const Error& error) {
            problems.emplace_back(error.what());
        }
    }
    return problems;
}

int threadsPerRank(const RunSpec& spec, int cores) {
    const auto asked = static_cast<int>(integerOf(spec.ranks, "threads_per_rank"));
    return asked > 0 ? asked : std::max(1, cores / rankCount(spec));
}

void requireLaunchable(const RunSpec& spec, const std::filesystem::path& rankProgram) {
    const std::vector<std::string> problems = launchProblems(spec, rankProgram);
    if (!problems.empty()) {
        throw Error(ErrorKind::Usage, fmt::format("{}", fmt::join(problems, "\n")));
    }
}

}  // namespace concertina
