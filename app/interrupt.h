// SPDX-License-Identifier: Apache-2.0
// SIGINT and SIGTERM as a number that the supervisor looks at (RunRequest::interruptSignal). Main
// thread.
#pragma once

namespace concertina {

/// Catches both signals from now on. The number is 0 until one arrives, then that signal, negative
/// from the second on.
const volatile int* watchInterrupts();

}  // namespace concertina
