// SPDX-License-Identifier: Apache-2.0
#include "app/lost_runs.h"

#include "core/base/error.h"
#include "core/store/writer.h"

namespace concertina {

void markLostRuns(const std::filesystem::path& store) {
    constexpr std::chrono::milliseconds kQuick{300};
    try {
        RunWriter(store, kQuick).markLost();
    } catch (const Error&) {  // the next program that can write it will
    }
}

}  // namespace concertina
