// SPDX-License-Identifier: Apache-2.0
#include "tests/layering/readme_rules.h"

#include <algorithm>
#include <array>

namespace concertina::layering {
namespace {

constexpr std::size_t kReadmeLines = 40;

bool looksLikePath(std::string_view word) {
    static constexpr std::array<std::string_view, 7> kEndings{".md", ".cpp",   ".h",   ".toml",
                                                              ".sh", ".cmake", ".json"};
    if (word.empty() || word.find_first_of(" <>*{}$~()=|,;\"'^+…→") != std::string_view::npos) {
        return false;
    }
    if (word.starts_with('/') || word.starts_with("build/")) return false;  // made, not kept
    if (word.find("/ID") != std::string_view::npos) return false;           // stands for any name
    if (word.find('/') != std::string_view::npos) return true;
    return std::ranges::any_of(kEndings, [&](std::string_view e) { return word.ends_with(e); });
}

std::vector<std::string_view> backticked(std::string_view line) {
    std::vector<std::string_view> words;
    std::size_t open = line.find('`');
    while (open != std::string_view::npos) {
        const std::size_t close = line.find('`', open + 1);
        if (close == std::string_view::npos) break;
        words.push_back(line.substr(open + 1, close - open - 1));
        open = line.find('`', close + 1);
    }
    return words;
}

bool isFence(std::string_view line) { return line.starts_with("```"); }

}  // namespace

std::vector<Fault> pathFaults(const SourceTree& tree) {
    std::vector<Fault> faults;
    for (const SourceFile& file : tree.files()) {
        if (!file.path.ends_with(".md")) continue;
        const std::string folder(folderOf(file.path));
        bool isFenced = false;
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            if (isFence(file.lines[i])) isFenced = !isFenced;
            if (isFenced || isFence(file.lines[i])) continue;
            for (const std::string_view word : backticked(file.lines[i])) {
                if (!looksLikePath(word) || tree.exists(word)) continue;
                if (!folder.empty() && tree.exists(folder + '/' + std::string(word))) continue;
                faults.push_back(
                    {file.path, static_cast<int>(i + 1), std::string(word) + " does not exist"});
            }
        }
    }
    return faults;
}

std::vector<Fault> readmeFaults(const SourceTree& tree, const std::vector<std::string>& folders) {
    std::vector<Fault> faults;
    for (const std::string& folder : folders) {
        const std::string path = folder + "/README.md";
        const SourceFile* readme = tree.find(path);
        if (readme == nullptr) {
            faults.push_back({path, 0, "does not exist"});
        } else if (readme->lines.size() > kReadmeLines) {
            faults.push_back({path, 0,
                              std::to_string(readme->lines.size()) + " lines, allowed are " +
                                  std::to_string(kReadmeLines)});
        }
    }
    return faults;
}

}  // namespace concertina::layering
