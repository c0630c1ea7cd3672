// SPDX-License-Identifier: Apache-2.0
// From which of its checkpoints an interrupted run goes on. Used by the supervisor on its thread.
#pragma once
#include <filesystem>
#include <string>

#include "core/store/records.h"

namespace concertina {

struct ResumeChoice {
    std::filesystem::path checkpoint;  // empty: it has none yet, so it begins anew
    ResumePoint point;
    std::string sentence;  // what was chosen, and which checkpoints could not be used
};

/// The latest checkpoint in `folder` that is whole and of this configuration (`specHash`, as it is
/// on this machine). Throws Error(Usage) for a run that is active or done, for another
/// configuration, and where there are checkpoints, but none that is whole.
ResumeChoice chooseResumePoint(const RunRow& run,
                               const std::string& specHash,
                               const std::filesystem::path& folder);

}  // namespace concertina
