// SPDX-License-Identifier: Apache-2.0
#include "app/interrupt.h"

#include <signal.h>

#include <initializer_list>

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
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction before {};
        ::sigaction(signal, nullptr, &before);
        if (signal != SIGHUP || before.sa_handler != SIG_IGN) {  // nohup: outlives its terminal
            ::sigaction(signal, &action, nullptr);
        }
    }
    return &interruptSignal;
}

}  // namespace concertina
