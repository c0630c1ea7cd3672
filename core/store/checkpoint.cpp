// SPDX-License-Identifier: Apache-2.0
#include "core/store/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/durable_file.h"
#include "core/base/error.h"
#include "core/base/sha256.h"

namespace concertina {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr const char *kManifest = "manifest.json", *kFormat = "concertina-checkpoint",
                     *kPrefix = "step-", *kPartial = ".partial";
constexpr std::size_t kNameLength = 5 + 12;

[[noreturn]] void refuse(const fs::path& file, const std::string& what) {
    throw Error(ErrorKind::Usage, "checkpoint file " + file.string() + " " + what);
}

bool isDigits(const std::string& text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool isCheckpointName(const std::string& name) {
    return name.size() == kNameLength && name.starts_with(kPrefix) && isDigits(name.substr(5));
}

/// Names lead to files of the folder and nowhere else.
bool isPlainName(const std::string& name) {
    return !name.empty() && name.size() < 100 && name.find('/') == std::string::npos &&
           name.find('\0') == std::string::npos && name != "." && name != "..";
}

Json toJson(const CheckpointManifest& manifest) {
    Json files = Json::array();
    for (const CheckpointFile& file : manifest.files) {
        files.push_back({{"name", file.name}, {"bytes", file.sizeBytes}, {"sha256", file.sha256}});
    }
    return {{"format", kFormat},           {"version", manifest.version},
            {"run", manifest.runId},       {"spec_hash", manifest.specHash},
            {"ranks", manifest.ranks},     {"step", manifest.step},
            {"epoch", manifest.epoch},     {"step_in_epoch", manifest.stepInEpoch},
            {"buckets", manifest.buckets}, {"files", files}};
}

CheckpointManifest manifestOf(const Json& json) {
    CheckpointManifest manifest;
    manifest.runId = json.at("run").get<std::string>();
    manifest.specHash = json.at("spec_hash").get<std::string>();
    manifest.ranks = json.at("ranks").get<int>();
    manifest.step = json.at("step").get<std::int64_t>();
    manifest.epoch = json.at("epoch").get<int>();
    manifest.stepInEpoch = json.at("step_in_epoch").get<std::int64_t>();
    manifest.buckets = json.at("buckets").get<std::vector<std::vector<std::int64_t>>>();
    for (const Json& file : json.at("files")) {
        manifest.files.push_back({file.at("name").get<std::string>(),
                                  file.at("bytes").get<std::int64_t>(),
                                  file.at("sha256").get<std::string>()});
    }
    return manifest;
}

bool isSensible(const CheckpointManifest& manifest) {
    const auto has = [&](const std::string& name) {
        return std::count_if(manifest.files.begin(), manifest.files.end(),
                             [&](const CheckpointFile& file) { return file.name == name; }) == 1;
    };
    bool all = has(kWeightsFile) && has(kOptimizerFile) && manifest.step >= 1 &&
               manifest.epoch >= 0 && manifest.stepInEpoch >= 0 &&
               manifest.stepInEpoch <= manifest.step && manifest.ranks >= 1 &&
               manifest.files.size() == static_cast<std::size_t>(manifest.ranks) + 2;
    for (int rank = 0; all && rank < manifest.ranks; ++rank) {
        all = has(rankFileName(rank));
    }
    return all && std::all_of(manifest.files.begin(), manifest.files.end(),
                              [](const auto& file) { return isPlainName(file.name); });
}

}  // namespace

fs::path checkpointsOf(const fs::path& runFolder) { return runFolder / "checkpoints"; }

std::string checkpointName(std::int64_t step) { return fmt::format("{}{:012}", kPrefix, step); }

std::string rankFileName(int rank) { return fmt::format("rank{}.safetensors", rank); }

std::vector<fs::path> listCheckpoints(const fs::path& runFolder) {
    std::vector<fs::path> found;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(checkpointsOf(runFolder), none)) {
        if (isCheckpointName(entry.path().filename().string())) {
            found.push_back(entry.path());
        }
    }
    std::sort(found.rbegin(), found.rend());
    return found;
}

void commitCheckpoint(const fs::path& partial,
                      const fs::path& folder,
                      const CheckpointManifest& manifest) {
    for (const CheckpointFile& file : manifest.files) {
        std::error_code none;
        const auto size = fs::file_size(partial / file.name, none);
        if (none || static_cast<std::int64_t>(size) != file.sizeBytes) {
            throw Error(ErrorKind::Machine,
                        (partial / file.name).string() +
                            " is not there as its rank wrote it: ranks on several machines need a "
                            "folder that all of them share");
        }
    }
    writeDurably(partial / kManifest, toJson(manifest).dump(1) + "\n");
    flushFolder(partial);
    std::error_code error;
    fs::remove_all(folder, error);  // of the same step, from before a resume
    fs::rename(partial, folder, error);
    if (error) {
        throw Error(ErrorKind::Machine, "cannot name " + folder.string() + ": " + error.message());
    }
    flushFolder(folder.parent_path());
}

void pruneCheckpoints(const fs::path& runFolder, int keep) {
    std::error_code ignored;
    const std::vector<fs::path> all = listCheckpoints(runFolder);
    for (std::size_t i = static_cast<std::size_t>(std::max(1, keep)); i < all.size(); ++i) {
        fs::remove_all(all[i], ignored);
    }
    std::vector<fs::path> partial;
    for (const auto& entry : fs::directory_iterator(checkpointsOf(runFolder), ignored)) {
        if (entry.path().extension() == kPartial) {
            partial.push_back(entry.path());
        }
    }
    for (const fs::path& folder : partial) {
        fs::remove_all(folder, ignored);
    }
}

CheckpointManifest readManifest(const fs::path& folder) {
    const fs::path file = folder / kManifest;
    std::error_code none;
    if (!fs::is_regular_file(file, none)) {
        refuse(file, "is missing");
    }
    const std::string text = readWhole(file);
    try {
        const Json json = Json::parse(text);
        if (!json.is_object() || json.value("format", "") != kFormat) {
            refuse(file, "is no manifest of a checkpoint");
        }
        if (const int version = json.at("version").get<int>(); version != kCheckpointVersion) {
            refuse(file, fmt::format("has version {}, this program reads version {}: use {} "
                                     "concertina",
                                     version, kCheckpointVersion,
                                     version > kCheckpointVersion ? "a newer" : "an older"));
        }
        CheckpointManifest manifest = manifestOf(json);
        if (!isSensible(manifest)) {
            refuse(file, "does not name the files of its ranks, or a place in a run");
        }
        return manifest;
    } catch (const Json::exception& error) {
        refuse(file, std::string("cannot be read: ") + error.what());
    }
}

std::string readCheckpointFile(const CheckpointPlace& place, const std::string& name) {
    const fs::path file = place.folder / name;
    const auto& files = place.manifest.files;
    const auto found = std::find_if(files.begin(), files.end(), [&](const CheckpointFile& known) {
        return known.name == name;
    });
    if (found == files.end()) {
        refuse(file, "is not named by its manifest");
    }
    std::error_code none;
    if (!fs::is_regular_file(file, none)) {
        refuse(file, "is missing");
    }
    if (const auto size = static_cast<std::int64_t>(fs::file_size(file));
        size != found->sizeBytes) {
        refuse(file, fmt::format("has {} bytes, its manifest says {}", size, found->sizeBytes));
    }
    std::string contents = readWhole(file);
    if (sha256Hex(std::string_view(contents)) != found->sha256) {
        refuse(file, "is damaged: its SHA-256 is not the manifest's");
    }
    return contents;
}

CheckpointPlace openCheckpoint(const fs::path& folder) {
    CheckpointPlace place{folder, readManifest(folder)};
    for (const CheckpointFile& file : place.manifest.files) {
        readCheckpointFile(place, file.name);
    }
    return place;
}

}  // namespace concertina
