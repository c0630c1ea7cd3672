// SPDX-License-Identifier: Apache-2.0
#include "core/launch/run_setup.h"

#include <algorithm>
#include <cctype>
#include <fstream>

#include "core/base/error.h"
#include "core/base/process_identity.h"
#include "core/store/writer.h"

namespace concertina {
namespace {

/// The id names a folder, so it must not lead elsewhere.
void requireSafeId(const std::string& id) {
    const auto safe = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
    };
    if (id.empty() || id.size() > 64 || !std::all_of(id.begin(), id.end(), safe)) {
        throw Error(ErrorKind::Usage,
                    "run id '" + id + "': allowed are 1 to 64 letters, digits, '-' and '_'");
    }
}

}  // namespace

RunRow rowOf(const RunRequest& request, const RunSpec& resolved) {
    RunRow row;
    row.id = request.id.empty() ? newRunId() : request.id;
    requireSafeId(row.id);
    row.name = request.spec.name;
    row.specJson = toJson(request.spec);
    row.specHash = specHash(resolved);
    row.seed = request.spec.seed;
    row.study = request.study;
    row.variant = request.variant;
    row.compressor = request.spec.compress.name;
    row.policy = request.spec.policy.name;
    row.model = request.spec.model.name;
    row.dataset = request.spec.data.name;
    row.ranks = static_cast<int>(integerOf(resolved.ranks, "count"));
    row.device = textOf(resolved.ranks, "device");
    row.backend = textOf(resolved.ranks, "backend");
    row.epochsPlanned = static_cast<int>(integerOf(resolved.train, "epochs"));
    row.createdMs = unixNowMs();
    row.heartbeatMs = row.createdMs;
    row.supervisor = thisProcess();
    row.logFile = (runFolder(request.store, row.id) / "rank0.log").string();
    return row;
}

std::vector<std::string> rankArguments(const RunRequest& request,
                                       const RunRow& row,
                                       const RankPlace& place) {
    std::vector<std::string> arguments{request.rankProgram.string(),
                                       "--run",
                                       row.id,
                                       "--store",
                                       request.store.string(),
                                       "--spec",
                                       place.specFile.string(),
                                       "--rank",
                                       std::to_string(place.rank),
                                       "--world",
                                       std::to_string(row.ranks),
                                       "--board-fd",
                                       std::to_string(place.boardFd),
                                       "--rendezvous",
                                       place.rendezvous.string()};
    if (!place.checkpoint.empty()) {
        arguments.insert(arguments.end(), {"--resume-from", place.checkpoint.string()});
    }
    return arguments;
}

void writeTextFile(const std::filesystem::path& file, const std::string& text) {
    std::ofstream stream(file, std::ios::binary | std::ios::trunc);
    stream << text;
    stream.close();
    if (!stream) {
        throw Error(ErrorKind::Machine, "cannot write " + file.string());
    }
}

}  // namespace concertina
