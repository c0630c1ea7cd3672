// SPDX-License-Identifier: Apache-2.0
#include "core/base/process_identity.h"

#include <limits.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

#include "core/base/error.h"

namespace concertina {
namespace {

std::string readAll(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string bootId() {
    std::string id = readAll("/proc/sys/kernel/random/boot_id");
    while (!id.empty() && id.back() == '\n') {
        id.pop_back();
    }
    return id;
}

std::string hostName() {
    char name[HOST_NAME_MAX + 1] = {};
    return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

struct Stat {
    char state;
    std::int64_t startTicks;
};

std::optional<Stat> statOf(std::int64_t pid) {
    const std::string text = readAll("/proc/" + std::to_string(pid) + "/stat");
    // Field 2 is the program's name in parentheses and may itself hold spaces and parentheses.
    const std::size_t nameEnd = text.rfind(')');
    if (nameEnd == std::string::npos) {
        return std::nullopt;
    }
    std::istringstream fields(text.substr(nameEnd + 1));
    Stat stat{};
    fields >> stat.state;
    std::string skipped;
    for (int field = 4; field < 22; ++field) {
        fields >> skipped;
    }
    fields >> stat.startTicks;
    return fields ? std::optional(stat) : std::nullopt;
}

}  // namespace

ProcessIdentity thisProcess() {
    const std::int64_t pid = ::getpid();
    const auto stat = statOf(pid);
    if (!stat) {
        throw Error(ErrorKind::Machine,
                    "cannot read /proc/" + std::to_string(pid) + "/stat: is /proc mounted?");
    }
    return {pid, stat->startTicks, bootId(), hostName()};
}

bool isAlive(const ProcessIdentity& identity) {
    if (identity.pid <= 0 || identity.host != hostName() || identity.bootId != bootId()) {
        return false;
    }
    const auto stat = statOf(identity.pid);
    return stat && stat->startTicks == identity.startTicks && stat->state != 'Z' &&
           stat->state != 'X';
}

}  // namespace concertina
