// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <toml++/toml.h>

#include <cctype>
#include <fstream>
#include <string_view>

#include "core/base/text.h"
#include "core/spec/node.h"
#include "core/spec/spec_error.h"

namespace concertina {
namespace {

Node fromToml(const toml::node& source, int depth);

Node::Members membersOf(const toml::table& table, int depth) {
    Node::Members members;
    for (const auto& [key, value] : table) {
        Node member = fromToml(value, depth + 1);
        if (member.line == 0) {
            member.line = static_cast<int>(key.source().begin.line);
        }
        members.emplace(std::string(key.str()), std::move(member));
    }
    return members;
}

Node::Items itemsOf(const toml::array& array, int depth) {
    Node::Items items;
    for (const toml::node& item : array) {
        items.push_back(fromToml(item, depth + 1));
    }
    return items;
}

Node fromToml(const toml::node& source, int depth) {
    Node node;
    node.line = static_cast<int>(source.source().begin.line);
    if (depth > kMaxDepth) {
        node.value = Node::Other{"a too deeply nested value"};
    } else if (const auto* table = source.as_table()) {
        node.value = membersOf(*table, depth);
    } else if (const auto* array = source.as_array()) {
        node.value = itemsOf(*array, depth);
    } else if (const auto* boolean = source.as_boolean()) {
        node.value = boolean->get();
    } else if (const auto* integer = source.as_integer()) {
        node.value = integer->get();
    } else if (const auto* real = source.as_floating_point()) {
        node.value = real->get();
    } else if (const auto* text = source.as_string()) {
        node.value = text->get();
    } else {
        node.value = Node::Other{"a date or time"};
    }
    return node;
}

/// Line of the first key with more than kMaxDepth dots, 0 if there is none. toml++ 3.3 makes a
/// table for each dot and frees them by recursion, so "a.a.a..." of some 100 kB would overflow the
/// stack. Comments count too: nobody writes such ones.
int lineOfEndlessKey(std::string_view toml) {
    int line = 1;
    int dots = 0;
    bool afterDot = false;  // the next name continues the key
    bool inName = false;
    for (const char letter : toml) {
        const bool name = std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' ||
                          letter == '-' || letter == '"' || letter == '\'';
        if (letter == '\n') {
            ++line;
        }
        if (name) {
            dots = inName || afterDot ? dots : 0;
            inName = true;
            afterDot = false;
        } else if (letter == '.') {
            afterDot = true;
            inName = false;
            if (++dots > kMaxDepth) {
                return line;
            }
        } else if (letter == ' ' || letter == '\t') {
            inName = false;
        } else {
            dots = 0;
            inName = afterDot = false;
        }
    }
    return 0;
}

[[noreturn]] void failFile(const std::filesystem::path& file, const std::string& sentence) {
    throw SpecError(file.string(), {{0, "", sentence}});
}

std::string tooLargeText(std::size_t bytes) {
    return fmt::format("too large for a spec: {} bytes, allowed: {}", bytes, kMaxSpecBytes);
}

}  // namespace

Node parseToml(const std::string& toml, std::vector<SpecMistake>& mistakes) {
    Node root{.value = Node::Members{}};
    if (toml.size() > kMaxSpecBytes) {
        mistakes.push_back({0, "", tooLargeText(toml.size())});
        return root;
    }
    if (!isUtf8(toml)) {
        mistakes.push_back({0, "", "not UTF-8 text"});
        return root;
    }
    if (const int line = lineOfEndlessKey(toml); line > 0) {
        mistakes.push_back({line, "", fmt::format("a key of more than {} parts", kMaxDepth)});
        return root;
    }
    try {
        root.value = membersOf(toml::parse(toml), 0);
    } catch (const toml::parse_error& error) {
        mistakes.push_back(
            {static_cast<int>(error.source().begin.line), "", excerpt(error.description(), 300)});
    }
    return root;
}

std::optional<Node> parseTomlValue(const std::string& toml) {
    std::vector<SpecMistake> mistakes;
    const Node document = parseToml("value = " + toml, mistakes);
    const Node::Members& members = *document.members();
    if (!mistakes.empty() || members.size() != 1 || !members.contains("value")) {
        return std::nullopt;
    }
    return members.at("value");
}

std::string readSpecFile(const std::filesystem::path& file) {
    std::error_code error;
    if (!std::filesystem::exists(file, error)) {
        failFile(file, "no such file");
    }
    if (std::filesystem::is_directory(file, error)) {
        failFile(file, "is a folder");
    }
    std::ifstream stream(file, std::ios::binary);
    std::string text(kMaxSpecBytes + 1, '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (!stream.is_open() || stream.bad()) {
        failFile(file, "cannot be read; check its permissions");
    }
    text.resize(static_cast<std::size_t>(stream.gcount()));
    if (text.size() > kMaxSpecBytes) {
        const std::uintmax_t bytes = std::filesystem::file_size(file, error);  // not of a pipe
        failFile(file, tooLargeText(error ? text.size() : bytes));
    }
    return text;
}

}  // namespace concertina
