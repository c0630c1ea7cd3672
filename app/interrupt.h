// SPDX-License-Identifier: Apache-2.0
// SIGINT, SIGTERM and SIGHUP (the terminal was closed) as a number that the supervisor looks at
// (RunRequest::interruptSignal). Main thread.
#pragma once

namespace concertina {

/// Catches these signals from now on; not SIGHUP where it is ignored (nohup). The number is 0 until
/// one arrives, then that signal, negative from the second on.
const volatile int* watchInterrupts();

}  // namespace concertina
