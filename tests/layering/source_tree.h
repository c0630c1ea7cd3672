// SPDX-License-Identifier: Apache-2.0
// The repository as text, and what a rule finds in it. Rules take a SourceTree, so that each can be
// tried on planted faults. Called by the layering tests only.
#pragma once
#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace concertina::layering {

struct SourceFile {
    std::string path;  // from the root, with forward slashes
    std::vector<std::string> lines;
};

class SourceTree {
 public:
    SourceTree() = default;
    /// REQUIRES: each path once.
    explicit SourceTree(std::vector<SourceFile> files);

    const std::vector<SourceFile>& files() const { return files_; }
    const SourceFile* find(std::string_view path) const;
    /// A file of that path, or a folder that holds one.
    bool exists(std::string_view path) const;

 private:
    std::vector<SourceFile> files_;  // sorted by path
};

/// Every text file below `root` except build output and version control.
SourceTree readTree(const std::filesystem::path& root);

struct Fault {
    std::string path;
    int line;  // 1-based; 0: the file as a whole
    std::string sentence;
    bool operator==(const Fault&) const = default;
};
/// How GoogleTest shows a fault.
std::ostream& operator<<(std::ostream& out, const Fault& fault);

/// "PATH:LINE: sentence", one a line: what a failed test prints.
std::string listOf(const std::vector<Fault>& faults);

bool isSource(std::string_view path);              // .cpp .cu
bool isHeader(std::string_view path);              // .h
std::string_view stemOf(std::string_view path);    // "core/store/reader.cpp" -> "reader"
std::string_view folderOf(std::string_view path);  // "core/store/reader.cpp" -> "core/store"
/// The line up to a // comment; a // inside a text literal counts as one, which no rule minds.
std::string_view codeOf(std::string_view line);
/// Whether `text` holds `word` with no letter, digit or underscore beside it.
bool hasWord(std::string_view text, std::string_view word);

}  // namespace concertina::layering
