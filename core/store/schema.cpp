// SPDX-License-Identifier: Apache-2.0
#include "core/store/schema.h"

#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>

#include <array>
#include <string>

#include "core/base/error.h"

namespace concertina {
namespace {

// Points are keyed by the run's number, not its id, because 12 characters a row would double the
// steps table. Bit n of nan_columns says that column n of the row (counted from 0) is NaN, which
// SQLite itself turns into NULL.
constexpr const char* kVersion1 = R"sql(
CREATE TABLE runs (
    run INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    status TEXT NOT NULL,
    reason TEXT NOT NULL,
    spec_json TEXT NOT NULL,
    spec_hash TEXT NOT NULL,
    seed INTEGER NOT NULL,
    study TEXT NOT NULL,
    variant TEXT NOT NULL,
    compressor TEXT NOT NULL,
    policy TEXT NOT NULL,
    model TEXT NOT NULL,
    dataset TEXT NOT NULL,
    ranks INTEGER NOT NULL,
    device TEXT NOT NULL,
    backend TEXT NOT NULL,
    epochs_planned INTEGER NOT NULL,
    steps_per_epoch INTEGER NOT NULL,
    created_ms INTEGER NOT NULL,
    started_ms INTEGER NOT NULL,
    finished_ms INTEGER NOT NULL,
    heartbeat_ms INTEGER NOT NULL,
    supervisor_pid INTEGER NOT NULL,
    supervisor_start_ticks INTEGER NOT NULL,
    supervisor_boot_id TEXT NOT NULL,
    supervisor_host TEXT NOT NULL,
    weights_hash TEXT NOT NULL,
    exit_code INTEGER,
    log_file TEXT NOT NULL,
    epochs_done INTEGER NOT NULL,
    steps_done INTEGER NOT NULL,
    test_accuracy REAL,
    test_loss REAL,
    train_seconds REAL,
    payload_bytes REAL,
    wire_bytes REAL,
    dense_fp32_wire_bytes REAL,
    dense_fp32_payload_bytes REAL,
    decision_wire_bytes REAL,
    mild_share REAL,
    dropped_points INTEGER NOT NULL,
    nan_columns INTEGER NOT NULL
) STRICT;
CREATE INDEX runs_by_name ON runs (name);
CREATE INDEX runs_by_age ON runs (created_ms);

CREATE TABLE layers (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    layer INTEGER NOT NULL,
    name TEXT NOT NULL,
    shape TEXT NOT NULL,
    compressible INTEGER NOT NULL,
    nan_columns INTEGER NOT NULL,
    PRIMARY KEY (run, layer)
) STRICT, WITHOUT ROWID;

CREATE TABLE steps (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    step INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    loss REAL,
    train_seconds REAL,
    nan_columns INTEGER NOT NULL,
    PRIMARY KEY (run, step)
) STRICT, WITHOUT ROWID;

CREATE TABLE epochs (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    epoch INTEGER NOT NULL,
    train_loss REAL,
    test_loss REAL,
    test_accuracy REAL,
    learning_rate REAL,
    train_seconds REAL,
    epoch_seconds REAL,
    steps INTEGER NOT NULL,
    payload_bytes REAL,
    wire_bytes REAL,
    dense_fp32_wire_bytes REAL,
    dense_fp32_payload_bytes REAL,
    decision_wire_bytes REAL,
    control_wire_bytes REAL,
    metric_wire_bytes REAL,
    buffer_wire_bytes REAL,
    weights_hash TEXT NOT NULL,
    nan_columns INTEGER NOT NULL,
    PRIMARY KEY (run, epoch)
) STRICT, WITHOUT ROWID;

CREATE TABLE layer_epochs (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    epoch INTEGER NOT NULL,
    layer INTEGER NOT NULL,
    norm REAL,
    level INTEGER NOT NULL,
    effective_level TEXT NOT NULL,
    payload_bytes REAL,
    wire_bytes REAL,
    dense_fp32_wire_bytes REAL,
    strongest_wire_bytes REAL,
    mildest_wire_bytes REAL,
    nan_columns INTEGER NOT NULL,
    PRIMARY KEY (run, epoch, layer)
) STRICT, WITHOUT ROWID;

CREATE TABLE decisions (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    epoch INTEGER NOT NULL,
    layer INTEGER NOT NULL,
    level INTEGER NOT NULL,
    reason TEXT NOT NULL,
    norm REAL,
    previous_norm REAL,
    norm_epoch INTEGER NOT NULL,
    previous_epoch INTEGER NOT NULL,
    ratio REAL,
    eta REAL,
    nan_columns INTEGER NOT NULL,
    sequence INTEGER PRIMARY KEY
) STRICT;
CREATE INDEX decisions_by_run ON decisions (run, epoch);

CREATE TABLE events (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    time_ms INTEGER NOT NULL,
    step INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    rank INTEGER NOT NULL,
    layer INTEGER NOT NULL,
    kind TEXT NOT NULL,
    message TEXT NOT NULL,
    nan_columns INTEGER NOT NULL,
    sequence INTEGER PRIMARY KEY
) STRICT;
CREATE INDEX events_by_run ON events (run);

CREATE TABLE controls (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    requested_ms INTEGER NOT NULL,
    verb TEXT NOT NULL,
    seen_ms INTEGER NOT NULL,
    sequence INTEGER PRIMARY KEY
) STRICT;
CREATE INDEX controls_by_run ON controls (run, seen_ms);
)sql";

// Compressors with messages of variable size came, which exchange their sizes: before, nobody did.
constexpr const char* kVersion2 = R"sql(
ALTER TABLE epochs ADD COLUMN size_wire_bytes REAL DEFAULT 0;
)sql";

/// Step n brings a store from version n to n + 1.
constexpr std::array<const char*, kStoreVersion> kMigrations = {kVersion1, kVersion2};

}  // namespace

StoreState storeState(SQLite::Database& database) {
    // One statement, so one moment: another program may be making the store right now.
    SQLite::Statement query(database,
                            "SELECT (SELECT count(*) FROM sqlite_schema),"
                            " (SELECT application_id FROM pragma_application_id),"
                            " (SELECT user_version FROM pragma_user_version)");
    query.executeStep();
    const std::int64_t tables = query.getColumn(0).getInt64();
    const std::int64_t id = query.getColumn(1).getInt64();
    StoreState state;
    state.version = query.getColumn(2).getInt();
    state.blank = id == 0 && tables == 0 && state.version == 0;
    state.foreign = !state.blank && id != kStoreApplicationId;
    return state;
}

void refuseNewer(const StoreState& state, const std::filesystem::path& file) {
    if (state.version > kStoreVersion) {
        throw Error(ErrorKind::Store,
                    "run store " + file.string() + " has version " + std::to_string(state.version) +
                        ", this program knows versions up to " + std::to_string(kStoreVersion) +
                        ": use a newer concertina, or another store (--store FILE)");
    }
}

void migrate(SQLite::Database& database, const std::filesystem::path& file) {
    const StoreState before = storeState(database);
    refuseNewer(before, file);
    if (before.version == kStoreVersion) {
        return;
    }
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    // Another program may have done it between our look and our lock.
    const StoreState locked = storeState(database);
    refuseNewer(locked, file);
    for (int version = locked.version; version < kStoreVersion; ++version) {
        database.exec(kMigrations[static_cast<std::size_t>(version)]);
    }
    database.exec("PRAGMA application_id = " + std::to_string(kStoreApplicationId));
    database.exec("PRAGMA user_version = " + std::to_string(kStoreVersion));
    transaction.commit();
}

}  // namespace concertina
