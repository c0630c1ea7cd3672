// SPDX-License-Identifier: Apache-2.0
#include "core/store/reader.h"

#include "core/store/database.h"
#include "core/store/row_sql.h"

namespace concertina {
namespace {

constexpr const char* kNewestFirst = " ORDER BY created_ms DESC, run DESC";

}  // namespace

struct RunReader::Impl {
    StoreDatabase store;

    /// Rows of `table` of one run; the query's parameter 2 is `from` where `condition` uses it.
    template <typename Row>
    std::vector<Row> rowsOf(const std::string& table,
                            const std::string& id,
                            const std::string& condition,
                            std::optional<std::int64_t> from = {}) {
        return store.reading([&] {
            SQLite::Statement query(store.sqlite(),
                                    selectSql<Row>(table) + " WHERE run = ?" + condition);
            query.bind(1, store.runNumber(id));
            if (from) {
                query.bind(2, *from);
            }
            return fetchRows<Row>(query);
        });
    }

    std::vector<RunRow> runsWhere(const std::string& condition,
                                  const std::string& first,
                                  const std::string& second = {}) {
        return store.reading([&] {
            SQLite::Statement query(
                store.sqlite(), selectSql<RunRow>("runs") + " WHERE " + condition + kNewestFirst);
            query.bind(1, first);
            if (!second.empty()) {
                query.bind(2, second);
            }
            return fetchRows<RunRow>(query);
        });
    }
};

RunReader::RunReader(const std::filesystem::path& store)
    : impl_(new Impl{StoreDatabase::openToRead(store)}) {}

RunReader::~RunReader() = default;

std::int64_t RunReader::dataVersion() {
    return impl_->store.reading(
        [&] { return impl_->store.sqlite().execAndGet("PRAGMA data_version").getInt64(); });
}

std::vector<RunRow> RunReader::runs() {
    return impl_->store.reading([&] {
        SQLite::Statement query(impl_->store.sqlite(), selectSql<RunRow>("runs") + kNewestFirst);
        return fetchRows<RunRow>(query);
    });
}

std::optional<RunRow> RunReader::run(const std::string& id) {
    const auto rows = impl_->runsWhere("id = ?", id);
    return rows.empty() ? std::nullopt : std::optional(rows.front());
}

RunRow RunReader::findRun(const std::string& idOrName) {
    if (auto exact = run(idOrName)) {
        return *exact;
    }
    if (const auto named = impl_->runsWhere("name = ?", idOrName); !named.empty()) {
        return named.front();
    }
    const std::string where = " in run store " + impl_->store.file().string();
    if (idOrName.empty()) {
        throw Error(ErrorKind::Usage, "name a run: an id, the beginning of one, or a name");
    }
    // Ids hold digits and lower-case letters only, so '{' sorts behind every one of them.
    const auto rows = impl_->runsWhere("id >= ? AND id < ?", idOrName, idOrName + "{");
    if (rows.size() == 1) {
        return rows.front();
    }
    if (rows.empty()) {
        throw Error(
            ErrorKind::Usage,
            "no run '" + idOrName + "'" + where +
                ": give an id, the beginning of one, or a name (concertina runs lists them)");
    }
    std::string found;
    constexpr std::size_t kNamed = 5;
    for (std::size_t i = 0; i < rows.size() && i < kNamed; ++i) {
        found += (i == 0 ? "" : ", ") + rows[i].id;
    }
    throw Error(ErrorKind::Usage, "'" + idOrName + "' begins " + std::to_string(rows.size()) +
                                      " run ids" + where + ": " + found +
                                      (rows.size() > kNamed ? ", ..." : ""));
}

std::vector<LayerRow> RunReader::layers(const std::string& id) {
    return impl_->rowsOf<LayerRow>("layers", id, " ORDER BY layer");
}

std::vector<StepRow> RunReader::steps(const std::string& id, std::int64_t fromStep) {
    return impl_->rowsOf<StepRow>("steps", id, " AND step >= ? ORDER BY step", fromStep);
}

std::vector<EpochRow> RunReader::epochs(const std::string& id, int fromEpoch) {
    return impl_->rowsOf<EpochRow>("epochs", id, " AND epoch >= ? ORDER BY epoch", fromEpoch);
}

std::vector<LayerEpochRow> RunReader::layerEpochs(const std::string& id, int fromEpoch) {
    return impl_->rowsOf<LayerEpochRow>("layer_epochs", id, " AND epoch >= ? ORDER BY epoch, layer",
                                        fromEpoch);
}

std::vector<Decision> RunReader::decisions(const std::string& id, int fromEpoch) {
    return impl_->rowsOf<Decision>("decisions", id, " AND epoch >= ? ORDER BY epoch, sequence",
                                   fromEpoch);
}

std::vector<EventRow> RunReader::events(const std::string& id) {
    return impl_->rowsOf<EventRow>("events", id, " ORDER BY sequence");
}

}  // namespace concertina
