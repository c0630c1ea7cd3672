// SPDX-License-Identifier: Apache-2.0
// Where a store lies and how a run is called.
#include <sys/random.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>

#include "core/base/error.h"
#include "core/store/writer.h"

namespace concertina {
namespace {

constexpr char kDigits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
constexpr int kBase = 36;

std::string toDigits(std::uint64_t number, int length) {
    std::string text(static_cast<std::size_t>(length), '0');
    for (auto digit = text.rbegin(); digit != text.rend(); ++digit, number /= kBase) {
        *digit = kDigits[number % kBase];
    }
    return text;
}

}  // namespace

std::filesystem::path defaultStorePath() {
    if (const char* file = std::getenv("CONCERTINA_STORE"); file != nullptr && *file != '\0') {
        return file;
    }
    // The XDG base directory specification: a relative path there is invalid and to be ignored.
    if (const char* data = std::getenv("XDG_DATA_HOME"); data != nullptr && *data == '/') {
        return std::filesystem::path(data) / "concertina" / "runs.sqlite";
    }
    const char* home = std::getenv("HOME");
    if (home == nullptr || *home != '/') {
        throw Error(ErrorKind::Usage,
                    "no place for the run store: HOME is not set; name one with --store FILE or "
                    "CONCERTINA_STORE");
    }
    return std::filesystem::path(home) / ".local/share/concertina/runs.sqlite";
}

std::filesystem::path runFolder(const std::filesystem::path& store, const std::string& runId) {
    return store.string() + ".files/" + runId;
}

/// 8 digits of milliseconds (enough until 2059), so that ids sort by time, and 4 random ones for
/// runs that start in the same millisecond.
std::string newRunId() {
    std::uint32_t random = 0;
    if (::getrandom(&random, sizeof random, 0) != sizeof random) {
        throw Error(ErrorKind::Machine, "the system gave no random bytes (getrandom)");
    }
    return toDigits(static_cast<std::uint64_t>(unixNowMs()), 8) + toDigits(random, 4);
}

std::int64_t unixNowMs() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

}  // namespace concertina
