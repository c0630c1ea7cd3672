// SPDX-License-Identifier: Apache-2.0
#include "core/launch/rank_group.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <thread>

#include "core/base/error.h"

namespace concertina {
namespace {

constexpr std::size_t kTailLines = 4;
constexpr std::streamoff kTailBytes = 4096;
constexpr std::size_t kTailCharacters = 600;

std::string tailOf(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary | std::ios::ate);
    const std::streamoff size = stream ? static_cast<std::streamoff>(stream.tellg()) : 0;
    stream.seekg(std::max<std::streamoff>(0, size - kTailBytes));
    return {std::istreambuf_iterator<char>(stream), {}};
}

bool isControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

}  // namespace

void RankGroup::spawn(SpawnRequest request, const std::filesystem::path& log) {
    const int fd = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
    if (fd < 0) {
        throw Error(ErrorKind::Machine,
                    "cannot write " + log.string() + ": " + std::strerror(errno));
    }
    request.outputFd = fd;
    try {
        ranks_.push_back({spawnProcess(request), log});
    } catch (...) {
        ::close(fd);
        throw;
    }
    ::close(fd);
}

std::vector<RankExit> RankGroup::collect() {
    std::vector<RankExit> exits;
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
        ProcessEnd end;
        if (ranks_[i].pid != 0 && reap(ranks_[i].pid, end)) {
            ranks_[i].pid = 0;
            exits.push_back({static_cast<int>(i), end});
        }
    }
    return exits;
}

void RankGroup::awaitEnd(std::chrono::milliseconds patience) {
    const auto end = std::chrono::steady_clock::now() + patience;
    collect();
    while (anyAlive() && std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        collect();
    }
}

void RankGroup::killAll() {
    for (const Rank& rank : ranks_) {
        if (rank.pid != 0) {
            ::kill(-rank.pid, SIGKILL);
            ::kill(rank.pid, SIGKILL);
        }
    }
    // A process in an uninterruptible system call dies when that returns; waiting for ever would
    // hang with it.
    awaitEnd(std::chrono::seconds(5));
}

bool RankGroup::anyAlive() const {
    return std::any_of(ranks_.begin(), ranks_.end(),
                       [](const Rank& rank) { return rank.pid != 0; });
}

char RankGroup::stateOf(int rank) const {
    if (!isAlive(rank)) {
        return 0;
    }
    std::ifstream stream("/proc/" + std::to_string(ranks_[rank].pid) + "/stat");
    std::string line;
    std::getline(stream, line);
    const auto end = line.rfind(") ");  // the command name before it may hold anything
    return end != std::string::npos && end + 2 < line.size() ? line[end + 2] : 0;
}

std::string RankGroup::lastWords(int rank) const {
    std::vector<std::string> lines(1);
    for (const char c : tailOf(ranks_[rank].log)) {
        if (c != '\n') {
            lines.back() += isControl(c) ? ' ' : c;
        } else if (!lines.back().empty()) {
            lines.emplace_back();
        }
    }
    if (lines.back().empty()) {
        lines.pop_back();
    }
    std::string words;
    for (std::size_t i = lines.size() - std::min(lines.size(), kTailLines); i < lines.size(); ++i) {
        words += (words.empty() ? "" : " | ") + lines[i];
    }
    return words.size() > kTailCharacters ? "..." + words.substr(words.size() - kTailCharacters)
                                          : words;
}

}  // namespace concertina
