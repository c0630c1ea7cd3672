// SPDX-License-Identifier: Apache-2.0
// What tests of real runs share: a quick spec, a store of their own, the ranks' processes. Test's
// thread.
#pragma once
#include <gtest/gtest.h>
#include <sys/types.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "core/launch/supervisor.h"
#include "tests/support/compress_choice.h"
#include "tests/support/temp_folder.h"

namespace concertina {

/// An MLP on 512 samples: 4 steps an epoch at 2 ranks, a second or two in all.
inline RunSpec quickSpec(int ranks, int epochs) {
    RunSpec spec = defaultRunSpec();
    spec.name = "quick";
    spec.data.options["train_samples"] = std::int64_t{512};
    spec.data.options["test_samples"] = std::int64_t{512};
    spec.model = {"mlp", {{"hidden", std::vector<std::int64_t>{32}}}};
    spec.train["epochs"] = std::int64_t{epochs};
    spec.train["batch_per_rank"] = std::int64_t{64};
    spec.ranks["count"] = std::int64_t{ranks};
    spec.ranks["threads_per_rank"] = std::int64_t{1};
    spec.compress = compressorAtDefaults("topk");
    spec.levels = {{{"ratio", 0.1}}, {{"ratio", 0.01}}};
    spec.policy = {
        "accordion",
        {{"eta", 0.5}, {"interval_epochs", std::int64_t{2}}, {"norm", std::string("rank0-local")}}};
    return spec;
}

class EngineRuns : public ::testing::Test {
 protected:
    RunOutcome run(const RunSpec& spec, const RunObserver& observer = {}) {
        return superviseRun(request(spec), observer);
    }
    RunRequest request(const RunSpec& spec) const {
        RunRequest request;
        request.spec = spec;
        request.store = store();
        request.rankProgram = std::filesystem::path(CONCERTINA_BIN_DIR) / "concertina-rank";
        return request;
    }
    std::filesystem::path store() const { return folder_.path() / "runs.sqlite"; }

    TempFolder folder_;
};

/// Rank processes of a run, by the arguments they were started with: pid of each rank.
inline std::map<int, pid_t> ranksOf(const std::string& runId) {
    std::map<int, pid_t> found;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        std::ifstream stream(entry.path() / "cmdline");
        const std::string line((std::istreambuf_iterator<char>(stream)), {});
        const std::string option = std::string("--rank") + '\0';
        const auto at = line.find(option);
        if (line.find(runId) != std::string::npos && at != std::string::npos) {
            found[std::stoi(line.substr(at + option.size()))] =
                std::stoi(entry.path().filename().string());
        }
    }
    return found;
}

}  // namespace concertina
