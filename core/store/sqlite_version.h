// SPDX-License-Identifier: Apache-2.0
// The version of the SQLite library in use, for doctor. Any thread.
#pragma once
#include <string>

namespace concertina {

std::string sqliteVersion();

}  // namespace concertina
