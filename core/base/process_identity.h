// SPDX-License-Identifier: Apache-2.0
// ProcessIdentity: enough to tell a living process from one that reused its pid, also after a
// reboot. The store keeps the supervisor's, so that any program can find runs that nobody works on
// any more. Any thread.
#pragma once
#include <cstdint>
#include <string>

namespace concertina {

struct ProcessIdentity {
    std::int64_t pid = 0;         // 0: nobody yet
    std::int64_t startTicks = 0;  // field 22 of /proc/PID/stat
    std::string bootId;           // /proc/sys/kernel/random/boot_id
    std::string host;
    bool operator==(const ProcessIdentity&) const = default;
};

ProcessIdentity thisProcess();
/// Whether that very process still runs. False for another boot, a reused pid, a zombie and pid 0.
/// True for another host: it cannot be looked at from here and counts as alive until its own host
/// says otherwise.
bool isAlive(const ProcessIdentity& identity);

}  // namespace concertina
