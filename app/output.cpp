// SPDX-License-Identifier: Apache-2.0
#include "app/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "core/base/check.h"

namespace concertina {
namespace {

constexpr const char* kNone = "-";

void write(std::FILE* stream, const std::string& text) {
    // The result is not looked at: there is nobody left to tell.
    [[maybe_unused]] const auto written = std::fwrite(text.data(), 1, text.size(), stream);
    std::fflush(stream);
}

/// Columns a terminal needs for it: continuation bytes of UTF-8 take none.
std::size_t widthOf(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    }));
}

bool isNumeric(const std::string& cell) {
    return cell == kNone ||
           (!cell.empty() && (std::isdigit(static_cast<unsigned char>(cell[0])) != 0 ||
                              ((cell[0] == '-' || cell[0] == '+') && cell.size() > 1)));
}

}  // namespace

std::string printable(std::string text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : '\0');
        if (byte == 0xc2 && next >= 0x80 && next < 0xa0) {  // U+0080 to U+009F, controls as well
            text[i] = text[i + 1] = '?';
        } else if ((byte < 0x20 && byte != '\n') || byte == 0x7f) {
            text[i] = '?';
        }
    }
    return text;
}

void printLine(const std::string& line) { write(stdout, line + "\n"); }

void printMessage(const std::string& text) {
    std::string message = "concertina: ";
    for (const char c : printable(text)) {
        message += c == '\n' ? std::string("\n  ") : std::string(1, c);
    }
    write(stderr, message + "\n");
}

TextTable::TextTable(std::vector<std::string> titles) { rows_.push_back(std::move(titles)); }

void TextTable::addRow(std::vector<std::string> cells) {
    CONCERTINA_CHECK(cells.size() == rows_[0].size(), "a row has another number of cells");
    for (std::string& cell : cells) {
        cell = printable(std::move(cell));
        std::replace(cell.begin(), cell.end(), '\n', '?');
    }
    rows_.push_back(std::move(cells));
}

std::string TextTable::text() const {
    const std::size_t columns = rows_[0].size();
    std::vector<std::size_t> widths(columns, 0);
    std::vector<bool> right(columns, rows_.size() > 1);
    for (std::size_t row = 0; row < rows_.size(); ++row) {
        for (std::size_t i = 0; i < columns; ++i) {
            widths[i] = std::max(widths[i], widthOf(rows_[row][i]));
            right[i] = right[i] && i > 0 && (row == 0 || isNumeric(rows_[row][i]));
        }
    }
    std::string text;
    for (const auto& row : rows_) {
        std::string line;
        for (std::size_t i = 0; i < columns; ++i) {
            const std::string padding(widths[i] - widthOf(row[i]), ' ');
            line += (i == 0 ? "" : "  ") + (right[i] ? padding + row[i] : row[i] + padding);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += (text.empty() ? "" : "\n") + line;
    }
    return text;
}

std::string numberText(std::optional<double> value, int digits) {
    return value ? fmt::format("{:.{}f}", *value, digits) : kNone;
}

std::string timesText(std::optional<double> value) {
    return value ? fmt::format("{:.{}f}x", *value, *value < 99.95 ? 1 : 0) : kNone;
}

std::string ageText(std::int64_t thenMs, std::int64_t nowMs) {
    if (thenMs == 0) {
        return kNone;
    }
    const std::int64_t seconds = std::max<std::int64_t>(0, (nowMs - thenMs) / 1000);
    if (seconds < 3600) {
        return fmt::format("{}m", seconds / 60);
    }
    return seconds < 172'800 ? fmt::format("{}h", seconds / 3600)
                             : fmt::format("{}d", seconds / 86400);
}

}  // namespace concertina
