// SPDX-License-Identifier: Apache-2.0
#include "core/launch/resume_choice.h"

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/store/checkpoint.h"

namespace concertina {
namespace {

void requireResumable(const RunRow& run, const std::string& specHash) {
    if (isActive(run.status)) {
        throw Error(ErrorKind::Usage, fmt::format("run {} ({}) is {}: it needs no resuming", run.id,
                                                  run.name, toText(run.status)));
    }
    if (run.status == RunStatus::Done) {
        throw Error(ErrorKind::Usage, fmt::format("run {} ({}) is done: all {} epochs are trained",
                                                  run.id, run.name, run.epochsPlanned));
    }
    if (run.specHash != specHash) {
        throw Error(ErrorKind::Usage,
                    fmt::format("run {} ({}) ran on device {} with backend {}: here its "
                                "configuration comes to something else, which would be no "
                                "continuation",
                                run.id, run.name, run.device, run.backend));
    }
}

}  // namespace

ResumeChoice chooseResumePoint(const RunRow& run,
                               const std::string& specHash,
                               const std::filesystem::path& folder) {
    requireResumable(run, specHash);
    const auto folders = listCheckpoints(folder);
    if (folders.empty()) {
        return {{}, {}, "there is no checkpoint yet: training begins anew"};
    }
    std::string refused;
    for (const auto& candidate : folders) {
        try {
            const CheckpointManifest manifest = openCheckpoint(candidate).manifest;
            if (manifest.specHash != specHash || manifest.ranks != run.ranks ||
                manifest.runId != run.id) {
                throw Error(ErrorKind::Usage, "checkpoint " + candidate.string() +
                                                  " is of another run or configuration");
            }
            return {candidate,
                    {manifest.epoch, manifest.step, false},
                    fmt::format("training goes on from step {} in epoch {} ({}){}", manifest.step,
                                manifest.epoch, candidate.filename().string(), refused)};
        } catch (const Error& error) {
            refused += fmt::format("; {}", error.what());
        }
    }
    throw Error(ErrorKind::Usage, fmt::format("none of the {} checkpoints of run {} can be used{}",
                                              folders.size(), run.id, refused));
}

}  // namespace concertina
