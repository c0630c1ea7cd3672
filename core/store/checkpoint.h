// SPDX-License-Identifier: Apache-2.0
// Checkpoints of a run on disk: one folder each, "step-000000001234" in the run's folder, with the
// ranks' safetensors files and, written last, a manifest that names them with size and SHA-256. The
// folder gets its name once all of it is on the disk; until then it ends in ".partial" and is
// nobody's checkpoint. Ranks write, the supervisor chooses and checks; any thread.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace concertina {

constexpr int kCheckpointVersion = 1;

struct CheckpointFile {
    std::string name;
    std::int64_t sizeBytes = 0;
    std::string sha256;
};

/// Where a run stands between two steps, and what its checkpoint consists of.
struct CheckpointManifest {
    int version = kCheckpointVersion;
    std::string runId, specHash;
    int ranks = 1;
    std::int64_t step = 0;                           // steps trained since the run began
    int epoch = 0;                                   // the one that goes on
    std::int64_t stepInEpoch = 0;                    // steps of it that were trained
    std::vector<std::vector<std::int64_t>> buckets;  // comm/reducer.h
    std::vector<CheckpointFile> files;
};

/// A checkpoint that has its name.
struct CheckpointPlace {
    std::filesystem::path folder;
    CheckpointManifest manifest;
};

std::filesystem::path checkpointsOf(const std::filesystem::path& runFolder);
/// "step-000000001234".
std::string checkpointName(std::int64_t step);
/// Names of the files in it.
std::string rankFileName(int rank);
constexpr const char* kWeightsFile = "weights.safetensors";
constexpr const char* kOptimizerFile = "optimizer.safetensors";

/// Folders with a checkpoint's name, the latest step first; empty when there are none.
std::vector<std::filesystem::path> listCheckpoints(const std::filesystem::path& runFolder);

/// Makes a checkpoint of the files in `partial`: manifest, flush, name. Throws Error(Machine).
void commitCheckpoint(const std::filesystem::path& partial,
                      const std::filesystem::path& folder,
                      const CheckpointManifest& manifest);
/// Removes all but the `keep` latest, and what is half written. Failures are left for the next
/// time.
void pruneCheckpoints(const std::filesystem::path& runFolder, int keep);

/// Throws Error(Usage) for a manifest that is missing, of a newer version, or not whole.
CheckpointManifest readManifest(const std::filesystem::path& folder);
/// One file's contents, as the manifest promises them. Throws Error(Usage).
std::string readCheckpointFile(const CheckpointPlace& place, const std::string& name);
/// Manifest and all files, checked against each other. Throws Error(Usage).
CheckpointPlace openCheckpoint(const std::filesystem::path& folder);

}  // namespace concertina
