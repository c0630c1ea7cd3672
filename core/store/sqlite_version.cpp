// SPDX-License-Identifier: Apache-2.0
#include "core/store/sqlite_version.h"

#include <sqlite3.h>

namespace concertina {

std::string sqliteVersion() { return ::sqlite3_libversion(); }

}  // namespace concertina
