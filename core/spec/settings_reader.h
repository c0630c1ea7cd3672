// SPDX-License-Identifier: Apache-2.0
// Reads tables of nodes as the settings that parameters of the catalogue allow, and collects what
// is wrong with them, each mistake at its key and line. A value that is a mistake is replaced by
// its default, so that the rest is checked as well. What keys mean together is not known here: that
// is validate.cpp, which is the only user.
#pragma once
#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "core/catalogue/catalogue.h"
#include "core/spec/node.h"

namespace concertina {

template <typename Row>
std::vector<std::string> namesOf(std::span<const Row> rows) {
    std::vector<std::string> names;
    std::transform(rows.begin(), rows.end(), std::back_inserter(names),
                   [](const Row& row) { return row.name; });
    return names;
}

class SettingsReader {
 public:
    /// `root` is a table and outlives the reader, as `mistakes` does.
    SettingsReader(const Node& root, std::vector<SpecMistake>& mistakes)
        : root_(root), mistakes_(mistakes) {}

    const Node& root() const { return root_; }
    void add(int line, const std::string& key, const std::string& sentence);
    /// No mistake so far is at a key that begins with one of these.
    bool isClean(std::initializer_list<std::string> keys) const;
    /// The line of `table.key`, of its table, or 0.
    int lineOf(const std::string& tableName, const std::string& key) const;
    /// The members of [name]; none where it is absent or no table.
    const Node::Members& table(const std::string& name);
    /// The node as a value that `parameter` allows, or its default.
    Value value(const Node& node, const std::string& key, const Parameter& parameter);
    /// Every one of `known`; a member that is neither one of them nor of `otherKeys` is a mistake.
    Settings parameters(const Node::Members& members,
                        const std::string& prefix,
                        std::span<const Parameter> known,
                        std::vector<std::string> otherKeys);

 private:
    void unknownKey(int line,
                    const std::string& key,
                    const std::string& name,
                    const std::vector<std::string>& known);

    const Node& root_;
    std::vector<SpecMistake>& mistakes_;
};

}  // namespace concertina
