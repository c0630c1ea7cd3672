// SPDX-License-Identifier: Apache-2.0
// The one place that turns an error's kind into an exit code (design.md §6). Any thread.
#pragma once
#include "core/base/error.h"

namespace concertina {

int exitCodeOf(ErrorKind kind);

}  // namespace concertina
