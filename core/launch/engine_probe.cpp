// SPDX-License-Identifier: Apache-2.0
#include "core/launch/engine_probe.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/base/error.h"
#include "core/launch/spawn.h"

namespace concertina {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kPatience{30};
constexpr std::size_t kMaxOutputBytes = 65'536;

/// Reads until the other side closes, the time is up or there is more than anybody should say.
std::string readAll(int fd, Clock::time_point end) {
    std::string text;
    while (text.size() < kMaxOutputBytes) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
        pollfd waiting{fd, POLLIN, 0};
        if (left <= 0 || (::poll(&waiting, 1, static_cast<int>(left)) < 0 && errno != EINTR)) {
            break;
        }
        char buffer[4096];
        const ssize_t got = waiting.revents == 0 ? -1 : ::read(fd, buffer, sizeof buffer);
        if (got == 0) {
            break;
        }
        text.append(buffer, static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    }
    return text;
}

/// Waits for the child until `end`, then kills it.
ProcessEnd endOf(pid_t pid, Clock::time_point end) {
    ProcessEnd result;
    while (!reap(pid, result)) {
        if (Clock::now() > end) {
            ::kill(-pid, SIGKILL);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return result;
}

}  // namespace

bool EngineProbe::hasBackend(const std::string& name) const {
    return std::find(backends.begin(), backends.end(), name) != backends.end();
}

EngineProbe parseProbe(const std::string& text) {
    try {
        const nlohmann::json json = nlohmann::json::parse(text);
        EngineProbe probe{.torchVersion = json.at("torch").get<std::string>(),
                          .cudaBuilt = json.at("cuda_built").get<bool>(),
                          .backends = json.at("backends").get<std::vector<std::string>>()};
        const nlohmann::json& gpus = json.at("gpus");
        probe.gpus = gpus.is_array() ? static_cast<int>(gpus.size()) : gpus.get<int>();
        return probe;
    } catch (const nlohmann::json::exception&) {
        throw Error(ErrorKind::Machine,
                    "concertina-rank --probe answered something else: " + text.substr(0, 200));
    }
}

EngineProbe probeEngine(const std::filesystem::path& rankProgram) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) {
        throw Error(ErrorKind::Machine, std::string("cannot make a pipe: ") + std::strerror(errno));
    }
    pid_t pid = 0;
    try {
        pid = spawnProcess({.arguments = {rankProgram.string(), "--probe"}, .outputFd = ends[1]});
    } catch (const Error&) {
        ::close(ends[0]);
        ::close(ends[1]);
        throw;
    }
    ::close(ends[1]);
    const auto until = Clock::now() + kPatience;
    const std::string output = readAll(ends[0], until);
    ::close(ends[0]);
    const ProcessEnd end = endOf(pid, until);
    if (end.bySignal || end.code != 0) {
        throw Error(ErrorKind::Machine, rankProgram.string() + " --probe failed (" +
                                            (end.bySignal ? "signal " : "exit code ") +
                                            std::to_string(end.code) +
                                            "): " + output.substr(0, 400));
    }
    return parseProbe(output);
}

bool hasGpuDriver() { return ::access("/dev/nvidiactl", F_OK) == 0; }

}  // namespace concertina
