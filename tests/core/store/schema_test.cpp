// SPDX-License-Identifier: Apache-2.0
#include "core/store/schema.h"

#include <SQLiteCpp/Statement.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>

#include "core/base/error.h"
#include "core/store/reader.h"
#include "core/store/row_sql.h"
#include "core/store/writer.h"
#include "tests/support/store_folder.h"

namespace concertina {
namespace {

using Columns = std::vector<std::string>;  // "name TYPE", in order

std::map<std::string, Columns> tablesOf(const std::filesystem::path& file) {
    SQLite::Database database(file.string(), SQLite::OPEN_READONLY);
    std::map<std::string, Columns> tables;
    SQLite::Statement query(database,
                            "SELECT t.name, c.name || ' ' || c.type FROM sqlite_schema AS t "
                            "JOIN pragma_table_info(t.name) AS c WHERE t.type = 'table' "
                            "AND t.name NOT LIKE 'sqlite%' ORDER BY t.name, c.cid");
    while (query.executeStep()) {
        tables[query.getColumn(0).getString()].push_back(query.getColumn(1).getString());
    }
    return tables;
}

std::map<std::string, Columns> storedTables() {
    StoreFolder folder;
    RunWriter writer(folder.file());
    return tablesOf(folder.file());
}

std::map<std::string, Columns> documentedTables() {
    std::ifstream page(std::string(CONCERTINA_SOURCE_DIR) + "/resources/docs/store.md");
    const std::regex heading("### ([a-z_]+)"), row("\\| `([a-z0-9_]+)` \\| ([A-Z]+) \\| .+ \\|");
    std::map<std::string, Columns> tables;
    std::string line, table;
    std::smatch match;
    while (std::getline(page, line)) {
        if (std::regex_match(line, match, heading)) {
            table = match[1];
        } else if (std::regex_match(line, match, row)) {
            tables[table].push_back(match[1].str() + " " + match[2].str());
        }
    }
    return tables;
}

TEST(Schema, TheDocumentedTablesAreTheRealOnes) { EXPECT_EQ(documentedTables(), storedTables()); }

/// `run`, then the row's fields, whatever bookkeeping stands between or behind them: what
/// nan_columns counts on. (A column of a later version stands behind the marker.)
template <typename Row>
void expectFieldOrder(const std::string& table) {
    const Columns columns = storedTables().at(table);
    Columns names;
    for (const std::string& column : columns) {
        names.push_back(column.substr(0, column.find(' ')));
    }
    Columns expected = columnsOf<Row>();
    expected.insert(expected.begin(), "run");
    EXPECT_EQ(std::erase(names, "nan_columns"), 1u) << table;
    std::erase(names, "sequence");
    EXPECT_EQ(names, expected) << table;
    EXPECT_LE(expected.size(), 63u) << "bits of nan_columns";
}

TEST(Schema, FieldsStandInTheOrderOfTheColumns) {
    expectFieldOrder<RunRow>("runs");
    expectFieldOrder<LayerRow>("layers");
    expectFieldOrder<StepRow>("steps");
    expectFieldOrder<EpochRow>("epochs");
    expectFieldOrder<LayerEpochRow>("layer_epochs");
    expectFieldOrder<Decision>("decisions");
    expectFieldOrder<EventRow>("events");
}

TEST(Schema, AStoreIsMarkedAsOursAndUsesTheWriteAheadLog) {
    StoreFolder folder;
    RunWriter writer(folder.file());
    SQLite::Database database(folder.file().string(), SQLite::OPEN_READONLY);
    EXPECT_EQ(database.execAndGet("PRAGMA application_id").getInt64(), 0x436F6E63);
    EXPECT_EQ(database.execAndGet("PRAGMA user_version").getInt(), kStoreVersion);
    EXPECT_EQ(database.execAndGet("PRAGMA journal_mode").getString(), "wal");
}

/// A store of an earlier version, from its text: readable, and told apart by a diff.
void fillFrom(const std::string& dump, const std::filesystem::path& file) {
    std::ifstream text(std::string(CONCERTINA_SOURCE_DIR) + "/tests/data/store/" + dump);
    ASSERT_TRUE(text.good()) << dump;
    const std::string sql{std::istreambuf_iterator<char>(text), {}};
    SQLite::Database database(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    database.exec(sql);
}

/// Every version there ever was.
constexpr std::array<const char*, kStoreVersion - 1> kEarlierStores{"version1.sql"};

TEST(Schema, EveryEarlierStoreOpensWithItsRuns) {
    for (const char* dump : kEarlierStores) {
        StoreFolder folder;
        fillFrom(dump, folder.file());
        RunReader reader(folder.file());
        const std::vector<RunRow> runs = reader.runs();
        ASSERT_EQ(runs.size(), 1U) << dump;
        const RunRow& run = runs.front();
        EXPECT_EQ(run.name, "golden");
        EXPECT_EQ(run.status, RunStatus::Done);
        EXPECT_EQ(run.epochsDone, 2);
        const auto epochs = reader.epochs(run.id);
        ASSERT_EQ(epochs.size(), 2U);
        EXPECT_EQ(epochs[1].steps, 4);
        EXPECT_GT(epochs[1].wireBytes, 0);
        EXPECT_EQ(epochs[1].sizeWireBytes, 0);  // invented with version 2
        EXPECT_EQ(epochs[1].weightsHash, run.weightsHash);
        SQLite::Database database(folder.file().string(), SQLite::OPEN_READONLY);
        EXPECT_EQ(database.execAndGet("PRAGMA user_version").getInt(), kStoreVersion);
    }
}

TEST(Schema, AMigratedStoreHasTheTablesOfANewOne) {
    StoreFolder folder;
    fillFrom(kEarlierStores[0], folder.file());
    { RunWriter writer(folder.file()); }
    EXPECT_EQ(tablesOf(folder.file()), storedTables());
}

TEST(Schema, ShapesAreTextAndBadOnesAreRefused) {
    EXPECT_EQ(shapeToText({6, 1, 5, 5}), "6x1x5x5");
    EXPECT_EQ(shapeToText({}), "");
    EXPECT_EQ(shapeFromText("6x1x5x5"), (Shape{6, 1, 5, 5}));
    EXPECT_EQ(shapeFromText("120"), Shape{120});
    EXPECT_EQ(shapeFromText(""), Shape{});
    for (const char* bad : {"6x", "x6", "6xx1", "-1", "6 x 1", "a", "6.5", "99999999999999999999",
                            "9999999999x9999999999"}) {
        EXPECT_THROW(shapeFromText(bad), Error) << bad;
    }
}

}  // namespace
}  // namespace concertina
