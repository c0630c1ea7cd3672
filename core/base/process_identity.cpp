// SPDX-License-Identifier: Apache-2.0
#include "core/base/process_identity.h"

#include <unistd.h>

#include <climits>
#include <fstream>
#include <sstream>
#include <string>

namespace concertina {
namespace {

std::string firstLine(const std::string& file) {
    std::ifstream stream(file);
    std::string line;
    std::getline(stream, line);
    return line;
}

struct ProcessStat {
    char state = 0;
    std::int64_t startTicks = 0;
};

/// State (field 3) and start time (field 22) of /proc/PID/stat; both 0 when there is no such
/// process.
ProcessStat readStat(std::int64_t pid) {
    const std::string line = firstLine("/proc/" + std::to_string(pid) + "/stat");
    // The command name (field 2) is in parentheses and may itself hold blanks and parentheses.
    const auto end = line.rfind(')');
    if (end == std::string::npos) {
        return {};
    }
    std::istringstream rest(line.substr(end + 1));
    ProcessStat stat;
    std::string field;
    for (int number = 3; rest >> field; ++number) {
        if (number == 3) {
            stat.state = field[0];
        } else if (number == 22) {
            stat.startTicks = std::stoll(field);
            break;
        }
    }
    return stat;
}

std::string hostName() {
    char name[HOST_NAME_MAX + 1] = {};
    ::gethostname(name, sizeof name - 1);
    return name;
}

std::string bootId() { return firstLine("/proc/sys/kernel/random/boot_id"); }

}  // namespace

ProcessIdentity thisProcess() {
    const std::int64_t pid = ::getpid();
    return {pid, readStat(pid).startTicks, bootId(), hostName()};
}

bool isAlive(const ProcessIdentity& identity) {
    if (identity.pid <= 0) {
        return false;
    }
    // A process of another host cannot be looked at from here: it counts as alive until its own
    // host says otherwise.
    if (identity.host != hostName()) {
        return true;
    }
    if (identity.bootId != bootId()) {
        return false;
    }
    const ProcessStat stat = readStat(identity.pid);
    return stat.startTicks == identity.startTicks && stat.state != 0 && stat.state != 'Z' &&
           stat.state != 'X';
}

}  // namespace concertina
