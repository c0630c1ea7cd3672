// SPDX-License-Identifier: Apache-2.0
#include "core/spec/node.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "core/base/text.h"
#include "core/catalogue/catalogue.h"

namespace concertina {
namespace {

struct FoundText {
    std::string operator()(const std::string& text) const {
        return "text \"" + excerpt(text) + "\"";
    }
    std::string operator()(const Node::Items& items) const {
        return items.empty() ? "an empty list" : "a list";
    }
    std::string operator()(const Node::Members& /*members*/) const { return "a table"; }
    std::string operator()(const Node::Other& other) const { return other.noun; }
    template <typename T>
    std::string operator()(T number) const {
        return toText(Value(number));
    }
};

/// The parts of a dotted key, or none when it is not made of letters, digits, "_" and "-" between
/// single dots.
std::vector<std::string> partsOf(const std::string& key) {
    std::vector<std::string> parts(1);
    for (const char letter : key) {
        if (letter == '.') {
            parts.emplace_back();
        } else if (std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' ||
                   letter == '-') {
            parts.back() += letter;
        } else {
            return {};
        }
    }
    const bool empty = std::any_of(parts.begin(), parts.end(),
                                   [](const std::string& part) { return part.empty(); });
    return empty || parts.size() > kMaxDepth ? std::vector<std::string>{} : parts;
}

const Node* findNode(const Node& root, const std::string& table, const std::string& key) {
    const auto found = root.members()->find(table);
    if (found == root.members()->end() || found->second.members() == nullptr) {
        return nullptr;
    }
    const auto member = found->second.members()->find(key);
    return member == found->second.members()->end() ? nullptr : &member->second;
}

void setLines(Node& node, int line) {
    node.line = line;
    if (auto* items = std::get_if<Node::Items>(&node.value)) {
        std::for_each(items->begin(), items->end(), [line](Node& item) { setLines(item, line); });
    }
    if (Node::Members* members = node.members()) {
        std::for_each(members->begin(), members->end(),
                      [line](auto& member) { setLines(member.second, line); });
    }
}

constexpr std::array kChoiceTables{"data", "model", "compress", "policy"};

bool isChoiceName(const std::string& key) {
    return std::any_of(kChoiceTables.begin(), kChoiceTables.end(),
                       [&key](const char* table) { return key == std::string(table) + ".name"; });
}

/// Drops the keys that belong to the row `table` has named so far.
void dropFormerKeys(Node& root, const std::string& table) {
    const auto found = root.members()->find(table);
    if (found == root.members()->end() || found->second.members() == nullptr) {
        return;
    }
    const std::span<const Parameter> shared =
        table == "compress" ? compressParameters() : std::span<const Parameter>();
    std::erase_if(*found->second.members(), [shared](const auto& member) {
        return std::none_of(shared.begin(), shared.end(), [&member](const Parameter& parameter) {
            return parameter.name == member.first;
        });
    });
}

void applyChoice(Node& root,
                 const std::string& key,
                 const Node& node,
                 std::vector<SpecMistake>& mistakes) {
    const std::string table = key.substr(0, key.find('.'));
    const Node* former = findNode(root, table, "name");
    if (former != nullptr && former->value.index() == node.value.index() &&
        foundText(*former) == foundText(node)) {
        return;
    }
    dropFormerKeys(root, table);
    setNode(root, key, node, mistakes);
}

}  // namespace

std::string foundText(const Node& node) { return std::visit(FoundText{}, node.value); }

void setNode(Node& root, const std::string& key, Node node, std::vector<SpecMistake>& mistakes) {
    const std::vector<std::string> parts = partsOf(key);
    if (parts.empty()) {
        mistakes.push_back({std::max(0, node.line), excerpt(key),
                            "is not a key; expected something like train.lr"});
        return;
    }
    Node* place = &root;
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
        Node& next = place->members()
                         ->try_emplace(parts[i], Node{.value = Node::Members{}, .line = node.line})
                         .first->second;
        if (next.members() == nullptr) {
            mistakes.push_back({std::max(0, node.line), excerpt(key),
                                parts[i] + " is no table but " + foundText(next)});
            return;
        }
        place = &next;
    }
    (*place->members())[parts.back()] = std::move(node);
}

NodeOverrides toNodes(const Overrides& overrides) {
    NodeOverrides nodes;
    for (const auto& [key, text] : overrides) {
        Node node = parseTomlValue(text).value_or(Node{.value = text});
        setLines(node, kOverrideLine);
        nodes.emplace_back(key, std::move(node));
    }
    return nodes;
}

void applyOverrides(Node& root,
                    const NodeOverrides& overrides,
                    std::vector<SpecMistake>& mistakes) {
    for (const auto& [key, node] : overrides) {
        if (isChoiceName(key)) {
            applyChoice(root, key, node, mistakes);
        }
    }
    for (const auto& [key, node] : overrides) {
        if (!isChoiceName(key)) {
            setNode(root, key, node, mistakes);
        }
    }
}

}  // namespace concertina
