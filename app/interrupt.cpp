// SPDX-License-Identifier: Apache-2.0
#include "app/interrupt.h"

#include <signal.h>

namespace concertina {
namespace {

// A signal handler reaches nothing but a global.
volatile int interruptSignal = 0;
static_assert(sizeof(int) == sizeof(sig_atomic_t));

void note(int signal) { interruptSignal = interruptSignal == 0 ? signal : -signal; }

}  // namespace

const volatile int* watchInterrupts() {
    struct sigaction action {};
    action.sa_handler = note;
    ::sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
    return &interruptSignal;
}

}  // namespace concertina
