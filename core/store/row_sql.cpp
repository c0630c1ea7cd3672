// SPDX-License-Identifier: Apache-2.0
#include "core/store/row_sql.h"

#include <charconv>

#include "core/base/error.h"

namespace concertina {
namespace {

Error unknownValue(const char* column, const std::string& found) {
    return Error(ErrorKind::Store, "the run store holds the unknown " + std::string(column) + " '" +
                                       found +
                                       "': it was written by another version, or is damaged");
}

}  // namespace

std::string shapeToText(const Shape& shape) {
    std::string text;
    for (const std::int64_t size : shape) {
        text.append(text.empty() ? "" : "x").append(std::to_string(size));
    }
    return text;
}

Shape shapeFromText(const std::string& text) {
    Shape shape;
    std::int64_t elements = 1;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at != end) {
        std::int64_t size = -1;
        const auto [after, error] = std::from_chars(at, end, size);
        const bool separated = after == end || (*after == 'x' && after + 1 != end);
        if (error != std::errc() || size < 0 || !separated ||
            __builtin_mul_overflow(elements, size, &elements)) {
            throw unknownValue("shape", text);
        }
        shape.push_back(size);
        at = after == end ? end : after + 1;
    }
    return shape;
}

void FieldReader::operator()(const char* column, RunStatus& value) {
    const std::string text = next().getString();
    const auto status = runStatusFromText(text);
    if (!status) {
        throw unknownValue(column, text);
    }
    value = *status;
}

void FieldReader::operator()(const char* column, Reason& value) {
    const std::string text = next().getString();
    const auto reason = reasonFromText(text);
    if (!reason) {
        throw unknownValue(column, text);
    }
    value = *reason;
}

}  // namespace concertina
