// SPDX-License-Identifier: Apache-2.0
#include "core/store/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "core/base/durable_file.h"
#include "core/base/error.h"
#include "core/base/sha256.h"
#include "tests/support/temp_folder.h"

namespace concertina {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Checkpoints : public ::testing::Test {
 protected:
    fs::path write(std::int64_t step) {
        const fs::path folder = checkpointsOf(run_.path()) / checkpointName(step);
        const fs::path partial = folder.string() + ".partial";
        fs::create_directories(partial);
        CheckpointManifest manifest{.runId = "r", .specHash = "h", .ranks = 1, .step = step};
        manifest.epoch = 3;
        manifest.stepInEpoch = 1;
        manifest.buckets = {{1, 0}, {2}};
        for (const std::string name :
             {std::string(kWeightsFile), std::string(kOptimizerFile), rankFileName(0)}) {
            const std::string text = "of " + name;
            writeDurably(partial / name, text);
            manifest.files.push_back(
                {name, static_cast<std::int64_t>(text.size()), sha256Hex(std::string_view(text))});
        }
        commitCheckpoint(partial, folder, manifest);
        return folder;
    }
    TempFolder run_;
};

TEST_F(Checkpoints, OneReadsBackAndTheLatestComesFirst) {
    EXPECT_TRUE(listCheckpoints(run_.path()).empty());
    write(9);
    const fs::path latest = write(10);
    write(10);  // again: replaced
    const auto all = listCheckpoints(run_.path());
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0], latest);
    const CheckpointPlace place = openCheckpoint(latest);
    EXPECT_EQ(place.manifest.step, 10);
    EXPECT_EQ(place.manifest.epoch, 3);
    EXPECT_EQ(place.manifest.stepInEpoch, 1);
    EXPECT_EQ(place.manifest.buckets, (std::vector<std::vector<std::int64_t>>{{1, 0}, {2}}));
    EXPECT_EQ(readCheckpointFile(place, kWeightsFile), "of weights.safetensors");
    EXPECT_THROW(readCheckpointFile(place, "../x"), Error);
}

TEST_F(Checkpoints, WhatIsHalfWrittenIsNobodysAndGoesWithTheOldOnes) {
    write(1);
    write(2);
    write(3);
    const fs::path partial = checkpointsOf(run_.path()) / "step-000000000004.partial";
    fs::create_directories(partial);
    EXPECT_EQ(listCheckpoints(run_.path()).size(), 3U);
    pruneCheckpoints(run_.path(), 2);
    EXPECT_EQ(listCheckpoints(run_.path()).size(), 2U);
    EXPECT_FALSE(fs::exists(partial));
    EXPECT_EQ(listCheckpoints(run_.path())[1].filename(), "step-000000000002");
}

TEST_F(Checkpoints, AManifestThatLeadsElsewhereOrIsNoneIsRefused) {
    const fs::path folder = write(5);
    const std::string text = readWhole(folder / "manifest.json");
    const auto refused = [&](const std::string& manifest, const std::string& words) {
        std::ofstream(folder / "manifest.json", std::ios::trunc) << manifest;
        try {
            openCheckpoint(folder);
            FAIL() << "taken, though " << words;
        } catch (const Error& error) {
            EXPECT_THAT(error.what(), HasSubstr(words));
        }
    };
    refused("", "cannot be read");
    refused("[]", "is no manifest");
    refused(R"({"format": "x"})", "is no manifest");
    refused(R"({"format": "concertina-checkpoint", "version": 1})", "cannot be read");
    std::string other = text;
    other.replace(other.find("rank0.safetensors"), 17, "../../rank0.safet");
    refused(other, "does not name the files");
    other = text;
    other.replace(other.find("\"step\": 5"), 9, "\"step\": 0");
    refused(other, "does not name");
}

}  // namespace
}  // namespace concertina
