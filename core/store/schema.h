// SPDX-License-Identifier: Apache-2.0
// The run store's tables and how an older store becomes a current one. Only core/store uses it. In
// words, with who writes what: resources/docs/store.md; a test compares both.
#pragma once
#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <filesystem>

namespace concertina {

/// "Conc" as PRAGMA application_id: tells a run store from any other SQLite file.
inline constexpr std::int64_t kStoreApplicationId = 0x436F6E63;
/// PRAGMA user_version of a current store. Raise it with every migration.
inline constexpr int kStoreVersion = 2;

/// Whether the file behind `database` is a store of ours, and of which version.
struct StoreState {
    bool blank = false;  // no table and no application id: a store that is about to be made
    bool foreign = false;
    int version = 0;
};
StoreState storeState(SQLite::Database& database);

/// Makes the tables or runs the migrations that are missing, in one transaction; a current store is
/// not touched. REQUIRES: not foreign. Throws Error(Store) when the store is newer than this
/// program.
void migrate(SQLite::Database& database, const std::filesystem::path& file);

/// Throws Error(Store): "run store F has version 3, this program reads up to version 1: ..." if so.
void refuseNewer(const StoreState& state, const std::filesystem::path& file);

}  // namespace concertina
