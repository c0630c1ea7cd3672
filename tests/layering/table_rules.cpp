// SPDX-License-Identifier: Apache-2.0
// The rules of house_rules.h that compare one part of the tree with another.
#include <algorithm>
#include <array>
#include <cctype>

#include "tests/layering/house_rules.h"

namespace concertina::layering {
namespace {

// Tests of the whole rather than of one source file.
bool mirrorsNothing(std::string_view path) {
    static constexpr std::array<std::string_view, 7> kFolders{
        "tests/contract/", "tests/layering/", "tests/support/", "tests/data/",
        "tests/bench/",    "tests/peer/",     "tests/engine/"};
    return std::ranges::any_of(kFolders, [&](std::string_view f) { return path.starts_with(f); });
}

bool isNamedInTests(const SourceTree& tree, std::string_view path) {
    for (const SourceFile& file : tree.files()) {
        if (!file.path.starts_with("tests/") || !file.path.ends_with("CMakeLists.txt")) continue;
        const std::string_view folder = folderOf(file.path);
        if (!path.starts_with(folder)) continue;
        const std::string_view relative = path.substr(folder.size() + 1);
        const bool isNamed = std::ranges::any_of(file.lines, [&](const std::string& line) {
            return line.find(relative) != std::string::npos;
        });
        if (isNamed) return true;
    }
    return false;
}

struct Family {
    std::string_view folder;  // its members
    std::string_view table;   // the file that names them
};

constexpr std::array<Family, 8> kFamilies{{
    {"core/catalogue/compressors", "core/catalogue/compressors.cpp"},
    {"core/catalogue/policies", "core/catalogue/policies.cpp"},
    {"core/catalogue/models", "core/catalogue/models.cpp"},
    {"core/catalogue/datasets", "core/catalogue/datasets.cpp"},
    {"core/compress", "core/compress/registry.cpp"},
    {"core/data", "core/data/registry.cpp"},
    {"core/model", "core/model/registry.cpp"},
    {"core/policy", "core/policy/registry.cpp"},
}};

/// As it stands in the name of a factory: fashion_mnist -> FashionMnist.
std::string pascalCase(std::string_view snake) {
    std::string name;
    bool raise = true;
    for (const char c : snake) {
        if (c == '_') {
            raise = true;
            continue;
        }
        name += raise ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
        raise = false;
    }
    return name;
}

}  // namespace

std::vector<Fault> testFaults(const SourceTree& tree, const std::vector<Exception>& exceptions) {
    std::vector<Fault> faults;
    for (const SourceFile& file : tree.files()) {
        const std::string_view path = file.path;
        if (!path.starts_with("tests/") || !isSource(path)) continue;
        if (!isNamedInTests(tree, path)) {
            faults.push_back({file.path, 0, "is in no CMakeLists.txt, so it never runs"});
        }
        if (mirrorsNothing(path) || !path.ends_with("_test.cpp")) continue;
        std::string source(path.substr(6));
        source.resize(source.size() - std::string_view("_test.cpp").size());
        const bool hasSource = tree.exists(source + ".cpp") || tree.exists(source + ".h");
        const bool isExcepted =
            std::ranges::find(exceptions, file.path, &Exception::path) != exceptions.end();
        if (!hasSource && !isExcepted) {
            faults.push_back({file.path, 0, "mirrors no file: " + source + ".cpp does not exist"});
        }
        if (hasSource && isExcepted) {
            faults.push_back({file.path, 0, "mirrors a file: take it off the list of exceptions"});
        }
    }
    return faults;
}

std::vector<Fault> familyFaults(const SourceTree& tree) {
    std::vector<Fault> faults;
    for (const Family& family : kFamilies) {
        const SourceFile* table = tree.find(family.table);
        if (table == nullptr) continue;
        for (const SourceFile& file : tree.files()) {
            if (folderOf(file.path) != family.folder || !isSource(file.path)) continue;
            if (&file == table) continue;
            const std::string stem(stemOf(file.path));
            if (tree.exists(std::string(family.folder) + '/' + stem + ".h")) continue;
            const std::string inside = pascalCase(stem);  // makeFashionMnist
            std::string leading = inside;                 // fashionMnistEntry
            leading[0] = stem[0];
            const bool isNamed = std::ranges::any_of(table->lines, [&](const std::string& line) {
                const std::string_view code = codeOf(line);
                return code.find(inside) != std::string_view::npos ||
                       code.find(leading) != std::string_view::npos;
            });
            if (!isNamed) {
                faults.push_back({file.path, 0, std::string(family.table) + " has no row for it"});
            }
        }
    }
    return faults;
}

}  // namespace concertina::layering
