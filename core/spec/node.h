// SPDX-License-Identifier: Apache-2.0
// Node: what a spec file says before anyone knows whether it makes sense: a tree of values, each
// with its line. TOML and JSON both become this, overrides edit it, and one validation turns it
// into a RunSpec. Used inside core/spec only.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/spec/run_spec.h"

namespace concertina {

struct Node {
    /// Something no parameter accepts (a date, null, a too deeply nested value), as a noun for
    /// sentences.
    struct Other {
        std::string noun;
    };
    using Items = std::vector<Node>;
    using Members = std::map<std::string, Node>;

    std::variant<bool, std::int64_t, double, std::string, Items, Members, Other> value;
    int line = 0;  // 1-based; 0 where there is none; kOverrideLine for an override

    const Members* members() const { return std::get_if<Members>(&value); }
    Members* members() { return std::get_if<Members>(&value); }
    const Items* items() const { return std::get_if<Items>(&value); }
};

constexpr int kOverrideLine = -1;

/// Nothing in a spec is nested deeper; what is becomes Node::Other.
constexpr int kMaxDepth = 8;
constexpr std::size_t kMaxSpecBytes = std::size_t{1} << 20;

/// "a list", "text \"abc\"", "0.5": what was found, short enough for a sentence whatever the file
/// holds.
std::string foundText(const Node& node);

/// Reads a TOML document. A syntax error, a file over kMaxSpecBytes and the like are added to
/// `mistakes`, and an empty table is returned.
Node parseToml(const std::string& toml, std::vector<SpecMistake>& mistakes);
/// One value as TOML writes it; nothing if it is none.
std::optional<Node> parseTomlValue(const std::string& toml);

/// Reads the whole file, or throws SpecError when it is absent, unreadable or over kMaxSpecBytes.
std::string readSpecFile(const std::filesystem::path& file);

/// Sets `key` (dotted) to the node, making tables on the way. A key that cannot be set is added to
/// `mistakes`.
void setNode(Node& root, const std::string& key, Node node, std::vector<SpecMistake>& mistakes);

using NodeOverrides = std::vector<std::pair<std::string, Node>>;
NodeOverrides toNodes(const Overrides& overrides);
/// Sets all of them. A changed data, model, compress or policy name comes first and drops that
/// table's other keys, which belonged to the former one (compress keeps those that every compressor
/// shares).
void applyOverrides(Node& root, const NodeOverrides& overrides, std::vector<SpecMistake>& mistakes);

/// The validated spec. All mistakes are added; with none of them the result is valid.
RunSpec buildRunSpec(const Node& root, std::vector<SpecMistake>& mistakes);

}  // namespace concertina
