// SPDX-License-Identifier: Apache-2.0
// Rows to and from SQL, driven by row_fields.h. Only core/store uses it. The SQL is made of our own
// table and column names; values are always bound.
#pragma once
#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Statement.h>

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/store/row_fields.h"

namespace concertina {

std::string shapeToText(const Shape& shape);   ///< "6x1x5x5", "" for a scalar
Shape shapeFromText(const std::string& text);  ///< Throws Error(Store) on anything else.

/// Binds a row's fields in order, then the marker of NaN columns. Column 0 is `run`, so field n is
/// column n + 1.
class FieldBinder {
 public:
    explicit FieldBinder(SQLite::Statement& statement) : statement_(statement) {}
    void run(std::int64_t number) { statement_.bind(next_++, number); }
    void skip() { statement_.bind(next_++); }  ///< NULL
    void operator()(const char*, const std::string& value) {
        statement_.bindNoCopy(next_++, value);
    }
    void operator()(const char*, std::int64_t value) { statement_.bind(next_++, value); }
    void operator()(const char*, int value) { statement_.bind(next_++, value); }
    void operator()(const char*, bool value) { statement_.bind(next_++, value ? 1 : 0); }
    void operator()(const char*, std::uint64_t value) {
        statement_.bind(next_++, static_cast<std::int64_t>(value));
    }
    void operator()(const char*, RunStatus value) { statement_.bind(next_++, toText(value)); }
    void operator()(const char*, Reason value) { statement_.bind(next_++, toText(value)); }
    void operator()(const char*, const Shape& value) {
        statement_.bind(next_++, shapeToText(value));
    }
    void operator()(const char*, double value) {
        if (std::isnan(value)) {
            nanColumns_ |= std::int64_t{1} << (next_ - 1);
            statement_.bind(next_++);
        } else {
            statement_.bind(next_++, value);
        }
    }
    template <typename T>
    void operator()(const char* column, const std::optional<T>& value) {
        if (value) {
            (*this)(column, *value);
        } else {
            statement_.bind(next_++);
        }
    }
    void finish() { statement_.bind(next_++, nanColumns_); }

 private:
    SQLite::Statement& statement_;
    int next_ = 1;
    std::int64_t nanColumns_ = 0;
};

/// Reads what FieldBinder bound, from a query of selectSql(): field n is result column n, the
/// marker comes last.
class FieldReader {
 public:
    explicit FieldReader(SQLite::Statement& statement)
        : statement_(statement),
          nanColumns_(statement.getColumn(statement.getColumnCount() - 1).getInt64()) {}
    void operator()(const char*, std::string& value) { value = next().getString(); }
    void operator()(const char*, std::int64_t& value) { value = next().getInt64(); }
    void operator()(const char*, int& value) { value = next().getInt(); }
    void operator()(const char*, bool& value) { value = next().getInt() != 0; }
    void operator()(const char*, std::uint64_t& value) {
        value = static_cast<std::uint64_t>(next().getInt64());
    }
    void operator()(const char* column, RunStatus& value);
    void operator()(const char* column, Reason& value);
    void operator()(const char*, Shape& value) { value = shapeFromText(next().getString()); }
    /// A number that is always there is NULL only for NaN.
    void operator()(const char*, double& value) {
        const SQLite::Column column = next();
        value = column.isNull() ? std::numeric_limits<double>::quiet_NaN() : column.getDouble();
    }
    void operator()(const char*, std::optional<double>& value) {
        const bool isNan = (nanColumns_ >> (index_ + 1) & 1) != 0;
        const SQLite::Column column = next();
        if (!column.isNull()) {
            value = column.getDouble();
        } else if (isNan) {
            value = std::numeric_limits<double>::quiet_NaN();
        } else {
            value.reset();
        }
    }
    void operator()(const char*, std::optional<int>& value) {
        const SQLite::Column column = next();
        value = column.isNull() ? std::nullopt : std::optional<int>(column.getInt());
    }

 private:
    SQLite::Column next() { return statement_.getColumn(index_++); }
    SQLite::Statement& statement_;
    std::int64_t nanColumns_;
    int index_ = 0;
};

template <typename Row>
std::vector<std::string> columnsOf() {
    std::vector<std::string> names;
    Row row;
    visitFields(row, [&](const char* column, const auto&) { names.emplace_back(column); });
    return names;
}

/// "SELECT a, b, nan_columns FROM table": add WHERE and ORDER BY.
template <typename Row>
std::string selectSql(const std::string& table) {
    std::string sql = "SELECT ";
    for (const std::string& column : columnsOf<Row>()) {
        sql += column + ", ";
    }
    return sql + "nan_columns FROM " + table;
}

/// "INSERT INTO table (run, a, b, nan_columns) VALUES (?, ?, ?, ?)"; `verb` may be INSERT OR
/// REPLACE.
template <typename Row>
std::string insertSql(const std::string& verb, const std::string& table) {
    std::string names = "run", marks = "?";
    for (const std::string& column : columnsOf<Row>()) {
        names += ", " + column;
        marks += ", ?";
    }
    return verb + " INTO " + table + " (" + names + ", nan_columns) VALUES (" + marks + ", ?)";
}

/// Inserts each row. REQUIRES: inside a transaction.
template <typename Rows>
void insertRows(SQLite::Database& database,
                const std::string& sql,
                std::int64_t run,
                const Rows& rows) {
    if (std::empty(rows)) {
        return;
    }
    SQLite::Statement insert(database, sql);
    for (const auto& row : rows) {
        FieldBinder bind(insert);
        bind.run(run);
        visitFields(row, bind);
        bind.finish();
        insert.exec();
        insert.reset();
    }
}

/// All rows of a query whose parameters are bound.
template <typename Row>
std::vector<Row> fetchRows(SQLite::Statement& query) {
    std::vector<Row> rows;
    while (query.executeStep()) {
        visitFields(rows.emplace_back(), FieldReader(query));
    }
    return rows;
}

}  // namespace concertina
