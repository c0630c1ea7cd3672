// SPDX-License-Identifier: Apache-2.0
#include "app/start_up.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

namespace concertina {

void prepareProcess() {
    int opened = 0;
    while (opened >= 0 && opened <= STDERR_FILENO) {  // the lowest free number is given
        opened = ::open("/dev/null", O_RDWR);
    }
    if (opened > STDERR_FILENO) {
        ::close(opened);
    }
    ::signal(SIGPIPE, SIG_IGN);
    ::signal(SIGXFSZ, SIG_IGN);
    // Some parents pass on that they ignore it: then the system would reap our ranks.
    ::signal(SIGCHLD, SIG_DFL);
}

}  // namespace concertina
