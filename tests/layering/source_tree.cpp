// SPDX-License-Identifier: Apache-2.0
#include "tests/layering/source_tree.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <sstream>

namespace concertina::layering {
namespace {

namespace fs = std::filesystem;

bool isSkippedFolder(const std::string& name) {
    return name == "build" || name == "__pycache__" || (name.front() == '.' && name != ".ci");
}

bool isBinary(const std::string& path) {
    static constexpr std::array<std::string_view, 5> kEndings{".png", ".gz", ".sqlite", ".bin",
                                                              ".npz"};
    return std::ranges::any_of(kEndings, [&](std::string_view e) { return path.ends_with(e); });
}

std::vector<std::string> linesOf(const fs::path& file) {
    std::ifstream in(file);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

bool isWordCharacter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

}  // namespace

SourceTree::SourceTree(std::vector<SourceFile> files) : files_(std::move(files)) {
    std::ranges::sort(files_, {}, &SourceFile::path);
}

const SourceFile* SourceTree::find(std::string_view path) const {
    const auto it = std::ranges::lower_bound(
        files_, path, {}, [](const SourceFile& f) { return std::string_view(f.path); });
    return it != files_.end() && it->path == path ? &*it : nullptr;
}

bool SourceTree::exists(std::string_view path) const {
    while (path.ends_with('/')) path.remove_suffix(1);
    if (find(path) != nullptr) return true;
    const std::string folder = std::string(path) + '/';
    return std::ranges::any_of(files_,
                               [&](const SourceFile& f) { return f.path.starts_with(folder); });
}

SourceTree readTree(const fs::path& root) {
    std::vector<SourceFile> files;
    fs::recursive_directory_iterator it(root), end;
    for (; it != end; ++it) {
        const std::string name = it->path().filename().string();
        if (it->is_directory()) {
            if (isSkippedFolder(name)) it.disable_recursion_pending();
            continue;
        }
        const std::string path = it->path().lexically_relative(root).generic_string();
        if (!it->is_regular_file() || name == ".git") continue;
        files.push_back({path, isBinary(path) ? std::vector<std::string>{} : linesOf(it->path())});
    }
    return SourceTree(std::move(files));
}

std::ostream& operator<<(std::ostream& out, const Fault& fault) {
    return out << fault.path << ':' << fault.line << ": " << fault.sentence;
}

std::string listOf(const std::vector<Fault>& faults) {
    std::ostringstream text;
    for (const Fault& fault : faults) text << fault << '\n';
    return text.str();
}

bool isSource(std::string_view path) { return path.ends_with(".cpp") || path.ends_with(".cu"); }
bool isHeader(std::string_view path) { return path.ends_with(".h"); }

std::string_view stemOf(std::string_view path) {
    path.remove_prefix(path.rfind('/') + 1);  // npos + 1 == 0
    return path.substr(0, path.find('.'));
}

std::string_view folderOf(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash);
}

std::string_view codeOf(std::string_view line) { return line.substr(0, line.find("//")); }

bool hasWord(std::string_view text, std::string_view word) {
    for (std::size_t at = text.find(word); at != std::string_view::npos;
         at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        const bool startsInside = at > 0 && isWordCharacter(text[at - 1]);
        const bool endsInside = end < text.size() && isWordCharacter(text[end]);
        if (!startsInside && !endsInside) return true;
    }
    return false;
}

}  // namespace concertina::layering
