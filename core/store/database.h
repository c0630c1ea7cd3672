// SPDX-License-Identifier: Apache-2.0
// A connection to a run store: opens it with our settings, refuses what is no store of ours, and
// turns SQLite's errors into sentences. Only core/store uses it. One thread per object: SQLite's
// own locks are off.
#pragma once
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Transaction.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "core/base/error.h"

namespace concertina {

/// "cannot write run store F: it is locked by another program ...", from SQLite's result code.
Error storeError(const std::filesystem::path& file,
                 const std::string& doing,
                 const SQLite::Exception& error);

class StoreDatabase {
 public:
    /// An existing store; never changes it. Throws Error(Store).
    static StoreDatabase openToRead(const std::filesystem::path& file);
    /// Makes the store and its folder where they are missing, migrates an older one. Throws
    /// Error(Store).
    static StoreDatabase openToWrite(const std::filesystem::path& file,
                                     std::chrono::milliseconds busyTimeout);

    const std::filesystem::path& file() const { return file_; }
    SQLite::Database& sqlite() { return *sqlite_; }

    /// The run's number in the point tables. Throws Error(Store) when the store has no such run.
    std::int64_t runNumber(const std::string& id);

    /// Calls `read` with SQLite's exceptions turned into Error(Store).
    template <typename Read>
    auto reading(Read read) {
        return guarded("read", read);
    }
    /// The same inside one IMMEDIATE transaction: all of it or nothing. IMMEDIATE, because a
    /// transaction that reads first and then wants to write is refused at once when another wrote
    /// meanwhile, whatever the time-out.
    template <typename Write>
    auto writing(Write write) {
        return guarded("write", [&] {
            SQLite::Transaction transaction(*sqlite_, SQLite::TransactionBehavior::IMMEDIATE);
            if constexpr (std::is_void_v<decltype(write())>) {
                write();
                transaction.commit();
            } else {
                auto result = write();
                transaction.commit();
                return result;
            }
        });
    }

 private:
    explicit StoreDatabase(std::filesystem::path file) : file_(std::move(file)) {}

    template <typename Call>
    auto guarded(const char* doing, Call call) {
        try {
            return call();
        } catch (const SQLite::Exception& error) {
            throw storeError(file_, doing, error);
        }
    }
    void useWriteAheadLog(std::chrono::milliseconds busyTimeout);

    std::filesystem::path file_;
    std::optional<SQLite::Database> sqlite_;
};

}  // namespace concertina
