// SPDX-License-Identifier: Apache-2.0
#include "core/store/database.h"

#include <SQLiteCpp/Statement.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cctype>
#include <cstdio>
#include <thread>

#include "core/store/schema.h"

namespace concertina {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kReadBusyTimeout = std::chrono::seconds(2);

/// What a result code means to a user, and what can be done.
std::string meaningOf(int code, const char* text) {
    switch (code & 0xff) {
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            return "it is locked by another program";
        case SQLITE_FULL:
            return "the disk is full";
        case SQLITE_CORRUPT:
            return "it is damaged (" + std::string(text) + ")";
        case SQLITE_NOTADB:
            return "it is not an SQLite file, so no run store; name another with --store FILE";
        case SQLITE_READONLY:
            return "it is read-only (" + std::string(text) + ")";
        case SQLITE_CANTOPEN:
        case SQLITE_PERM:
            return "it cannot be opened (" + std::string(text) +
                   "); may this user read and write it and its folder?";
        case SQLITE_IOERR:
            return "input/output error " + std::to_string(code) +
                   " (disk full, or at a size limit?)";
        default:
            return text;
    }
}

Error refusal(const fs::path& file, const std::string& why) {
    return Error(ErrorKind::Store, "cannot use run store " + file.string() + ": " + why);
}

/// Whether there is a file; throws for what can never be a store.
bool fileExists(const fs::path& file) {
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    if (status.type() == fs::file_type::none) {
        throw refusal(file, "it cannot be looked at (" + error.message() + ")");
    }
    if (fs::is_directory(status)) {
        throw refusal(file, "it is a folder; name a file");
    }
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        throw refusal(file, "it is not a regular file");
    }
    return fs::exists(status);
}

void refuseForeign(const StoreState& state, const fs::path& file) {
    if (state.foreign) {
        throw refusal(file,
                      "it is an SQLite file of another program; name another with --store FILE");
    }
}

/// Whether nobody can write to it: SQLite keeps a log beside a store that is written to, and could
/// not make one here.
bool isAtRest(const fs::path& file) {
    std::error_code absent;
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    const std::uintmax_t logBytes = fs::file_size(file.string() + "-wal", absent);
    return ::access(folder.c_str(), W_OK) != 0 && (absent || logBytes == 0);
}

/// As a URI that has SQLite read the file alone: on a read-only disk or in a folder of somebody
/// else it cannot make the log's index, which it would insist on.
std::string immutableUri(const fs::path& file) {
    std::string uri = "file://";
    for (const char letter : fs::absolute(file).string()) {
        const bool plain = std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '/';
        char escaped[4];
        std::snprintf(escaped, sizeof escaped, "%%%02X", static_cast<unsigned char>(letter));
        uri += plain ? std::string(1, letter) : escaped;
    }
    return uri + "?immutable=1";
}

void makeFolderOf(const fs::path& file) {
    if (file.has_parent_path()) {
        std::error_code error;
        fs::create_directories(file.parent_path(), error);
        if (error) {
            throw refusal(file, "its folder cannot be made (" + error.message() + ")");
        }
    }
}

}  // namespace

Error storeError(const fs::path& file, const std::string& doing, const SQLite::Exception& error) {
    return Error(ErrorKind::Store, "cannot " + doing + " run store " + file.string() + ": " +
                                       meaningOf(error.getExtendedErrorCode(), error.what()));
}

StoreDatabase StoreDatabase::openToRead(const fs::path& file) {
    if (!fileExists(file)) {
        throw refusal(file, "there is no such file; the first run makes it");
    }
    StoreDatabase store(file);
    store.reading([&] {
        const bool atRest = isAtRest(file);
        store.sqlite_.emplace(
            atRest ? immutableUri(file) : file.string(),
            SQLite::OPEN_READONLY | SQLite::OPEN_NOMUTEX | (atRest ? SQLite::OPEN_URI : 0),
            static_cast<int>(kReadBusyTimeout.count()));
        const StoreState state = storeState(*store.sqlite_);
        if (state.blank) {
            throw refusal(file, "it is empty; the first run fills it");
        }
        refuseForeign(state, file);
        refuseNewer(state, file);
        if (state.version < kStoreVersion) {
            // Whoever reads it has a program that can bring it up to date, so that is what happens.
            store.sqlite_.reset();
            (void)openToWrite(file, kReadBusyTimeout);
            store.sqlite_.emplace(file.string(), SQLite::OPEN_READONLY | SQLite::OPEN_NOMUTEX,
                                  static_cast<int>(kReadBusyTimeout.count()));
        }
    });
    return store;
}

StoreDatabase StoreDatabase::openToWrite(const fs::path& file,
                                         std::chrono::milliseconds busyTimeout) {
    if (!fileExists(file)) {
        makeFolderOf(file);
    }
    StoreDatabase store(file);
    store.guarded("open", [&] {
        store.sqlite_.emplace(file.string(),
                              SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE | SQLite::OPEN_NOMUTEX,
                              static_cast<int>(busyTimeout.count()));
        refuseForeign(storeState(*store.sqlite_), file);
        store.useWriteAheadLog(busyTimeout);
        store.sqlite_->exec("PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON");
        migrate(*store.sqlite_, file);
    });
    return store;
}

/// The switch needs the file for itself and does not always ask the busy handler, so several
/// programs that make one store at once have to try again by hand.
void StoreDatabase::useWriteAheadLog(std::chrono::milliseconds busyTimeout) {
    const auto deadline = std::chrono::steady_clock::now() + busyTimeout;
    for (;;) {
        try {
            sqlite_->execAndGet("PRAGMA journal_mode = WAL").getString();
            return;
        } catch (const SQLite::Exception& error) {
            if (error.getErrorCode() != SQLITE_BUSY ||
                std::chrono::steady_clock::now() > deadline) {
                throw;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
    }
}

std::int64_t StoreDatabase::runNumber(const std::string& id) {
    SQLite::Statement query(*sqlite_, "SELECT run FROM runs WHERE id = ?");
    query.bind(1, id);
    if (!query.executeStep()) {
        throw Error(ErrorKind::Store, "run store " + file_.string() + " has no run " + id);
    }
    return query.getColumn(0).getInt64();
}

}  // namespace concertina
