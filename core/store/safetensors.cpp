// SPDX-License-Identifier: Apache-2.0
#include "core/store/safetensors.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "core/base/check.h"
#include "core/base/error.h"

namespace concertina {
namespace {

using Json = nlohmann::json;

struct TypeRow {
    ElementType type;
    const char* text;
    std::size_t bytes;
};
constexpr std::array kTypes = {
    TypeRow{ElementType::F64, "F64", 8}, TypeRow{ElementType::F32, "F32", 4},
    TypeRow{ElementType::F16, "F16", 2}, TypeRow{ElementType::BF16, "BF16", 2},
    TypeRow{ElementType::I64, "I64", 8}, TypeRow{ElementType::I32, "I32", 4},
    TypeRow{ElementType::I16, "I16", 2}, TypeRow{ElementType::I8, "I8", 1},
    TypeRow{ElementType::U8, "U8", 1},   TypeRow{ElementType::Bool, "BOOL", 1}};

constexpr std::size_t kLengthBytes = 8;
constexpr std::uint64_t kLongestHeader = 100'000'000;  // as the format's own reader allows
constexpr std::size_t kMostDimensions = 16;

const TypeRow& rowOf(ElementType type) { return kTypes.at(static_cast<std::size_t>(type)); }
static_assert(static_cast<std::size_t>(ElementType::Bool) + 1 == kTypes.size());

/// Reads one file's header; every refusal begins with the file.
class HeaderReader {
 public:
    HeaderReader(std::string_view file, const std::string& where) : file_(file), where_(where) {}

    std::vector<StoredTensor> read() {
        const std::string_view header = headerText();
        Json::parser_callback_t refuseTwice = [this](int depth, Json::parse_event_t event,
                                                     Json& parsed) {
            if (depth == 1 && event == Json::parse_event_t::key &&
                !names_.insert(parsed.get<std::string>()).second) {
                refuse("names '" + parsed.get<std::string>() + "' twice");
            }
            return true;
        };
        Json json;
        try {
            json = Json::parse(header, refuseTwice);
        } catch (const Json::exception& error) {
            refuse(std::string("has a header that is no JSON: ") + error.what());
        }
        if (!json.is_object()) {
            refuse("has a header that is no JSON object");
        }
        std::vector<StoredTensor> tensors;
        for (const auto& [name, value] : json.items()) {
            if (name != "__metadata__") {
                tensors.push_back(tensorOf(name, value));
            }
        }
        requireNoGaps(tensors);
        return tensors;
    }

 private:
    [[noreturn]] void refuse(const std::string& what) const {
        throw Error(ErrorKind::Usage, where_ + " " + what);
    }

    std::string_view headerText() {
        if (file_.size() < kLengthBytes) {
            refuse("is no safetensors file: it has " + std::to_string(file_.size()) + " bytes");
        }
        std::uint64_t length = 0;
        for (std::size_t i = 0; i < kLengthBytes; ++i) {
            length |= std::uint64_t{static_cast<unsigned char>(file_[i])} << (8 * i);
        }
        if (length > kLongestHeader || length > file_.size() - kLengthBytes) {
            refuse("is no safetensors file, or cut short: its header would have " +
                   std::to_string(length) + " of " + std::to_string(file_.size()) + " bytes");
        }
        data_ = file_.substr(kLengthBytes + length);
        return file_.substr(kLengthBytes, length);
    }

    std::uint64_t wholeNumber(const std::string& name, const Json& value) const {
        // A number that does not fit into 64 bits is a float for the JSON reader.
        if (!value.is_number_unsigned()) {
            refuse("has a size or place of '" + name + "' that is no whole number");
        }
        return value.get<std::uint64_t>();
    }

    StoredTensor tensorOf(const std::string& name, const Json& value) const {
        const bool complete = value.is_object() && value.size() == 3 && value.contains("dtype") &&
                              value.contains("shape") && value.contains("data_offsets") &&
                              value["dtype"].is_string() && value["shape"].is_array() &&
                              value["data_offsets"].is_array() &&
                              value["data_offsets"].size() == 2 &&
                              value["shape"].size() <= kMostDimensions;
        if (!complete) {
            refuse("describes '" + name + "' by something else than dtype, shape, data_offsets");
        }
        const auto text = value["dtype"].get<std::string>();
        const auto* type = std::find_if(kTypes.begin(), kTypes.end(),
                                        [&](const TypeRow& row) { return text == row.text; });
        if (type == kTypes.end()) {
            refuse("has '" + name + "' of the unknown type '" + text + "'");
        }
        StoredTensor tensor{name, type->type, {}, {}};
        const std::uint64_t bytes = sizeOf(name, value["shape"], type->bytes, tensor.shape);
        const std::uint64_t begin = wholeNumber(name, value["data_offsets"][0]);
        const std::uint64_t end = wholeNumber(name, value["data_offsets"][1]);
        if (begin > end || end > data_.size() || end - begin != bytes) {
            refuse("places '" + name + "' (" + std::to_string(bytes) + " bytes) at " +
                   std::to_string(begin) + ".." + std::to_string(end) + " of " +
                   std::to_string(data_.size()) + " bytes");
        }
        tensor.bytes = std::as_bytes(std::span(data_.data() + begin, bytes));
        return tensor;
    }

    std::uint64_t sizeOf(const std::string& name,
                         const Json& sizes,
                         std::uint64_t bytes,
                         Shape& shape) const {
        constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
        for (const Json& size : sizes) {
            const std::uint64_t length = wholeNumber(name, size);
            if (length > kMost || (length != 0 && bytes > kMost / length)) {
                refuse("has '" + name + "' larger than any memory");
            }
            bytes *= length;
            shape.push_back(static_cast<std::int64_t>(length));
        }
        return bytes;
    }

    void requireNoGaps(std::vector<StoredTensor>& tensors) const {
        std::sort(tensors.begin(), tensors.end(), [](const auto& a, const auto& b) {
            return std::make_pair(a.bytes.data(), a.bytes.size()) <
                   std::make_pair(b.bytes.data(), b.bytes.size());
        });
        const auto* expected = reinterpret_cast<const std::byte*>(data_.data());
        for (const StoredTensor& tensor : tensors) {
            if (tensor.bytes.data() != expected) {
                refuse("has a gap or an overlap before '" + tensor.name + "'");
            }
            expected += tensor.bytes.size();
        }
        if (expected != reinterpret_cast<const std::byte*>(data_.data()) + data_.size()) {
            refuse("has bytes behind its last tensor");
        }
    }

    std::string_view file_, data_;
    const std::string& where_;
    std::set<std::string> names_;
};

}  // namespace

const char* toText(ElementType type) { return rowOf(type).text; }
std::size_t elementBytes(ElementType type) { return rowOf(type).bytes; }

std::string writeSafetensors(std::vector<StoredTensor> tensors) {
    std::sort(tensors.begin(), tensors.end(), [](const auto& a, const auto& b) {
        return std::make_pair(elementBytes(b.type), std::string_view(a.name)) <
               std::make_pair(elementBytes(a.type), std::string_view(b.name));
    });
    Json header = Json::object();
    std::size_t at = 0;
    for (const StoredTensor& tensor : tensors) {
        const auto bytes =
            static_cast<std::size_t>(elementsOf(tensor.shape)) * elementBytes(tensor.type);
        CONCERTINA_CHECK(bytes == tensor.bytes.size() && !header.contains(tensor.name),
                         tensor.name);
        header[tensor.name] = {{"dtype", toText(tensor.type)},
                               {"shape", tensor.shape},
                               {"data_offsets", {at, at + bytes}}};
        at += bytes;
    }
    std::string text = header.dump();
    text.append((kLengthBytes - text.size() % kLengthBytes) % kLengthBytes, ' ');
    std::string file;
    file.reserve(kLengthBytes + text.size() + at);
    for (std::size_t i = 0; i < kLengthBytes; ++i) {
        file += static_cast<char>((std::uint64_t{text.size()} >> (8 * i)) & 0xFF);
    }
    file += text;
    for (const StoredTensor& tensor : tensors) {
        file.append(reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size());
    }
    return file;
}

std::vector<StoredTensor> readSafetensors(std::string_view file, const std::string& where) {
    return HeaderReader(file, where).read();
}

}  // namespace concertina
