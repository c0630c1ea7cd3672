// SPDX-License-Identifier: Apache-2.0
#include "tests/layering/house_rules.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace concertina::layering {
namespace {

constexpr std::size_t kSourceLines = 400, kSourceLinesHard = 600;
constexpr std::size_t kHeaderLines = 200, kHeaderLinesHard = 300;
constexpr std::size_t kColumns = 100;

bool isCode(std::string_view path) { return isSource(path) || isHeader(path); }

bool isCodeFolder(std::string_view path) {
    static constexpr std::array<std::string_view, 5> kFolders{"kernels/", "core/", "gui/", "app/",
                                                              "tests/"};
    return std::ranges::any_of(kFolders, [&](std::string_view f) { return path.starts_with(f); });
}

// Columns as an editor counts them: continuation bytes of UTF-8 take none.
std::size_t columnsOf(std::string_view line) {
    return static_cast<std::size_t>(std::ranges::count_if(
        line, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

bool isGpl(std::string_view path) {
    return path.starts_with("gui/") || path == "app/workbench_main.cpp" ||
           path.starts_with("tests/gui/");
}

bool needsLicence(std::string_view path) {
    return isCode(path) || path.ends_with("CMakeLists.txt") || path.ends_with(".cmake") ||
           path.ends_with(".sh") || path.ends_with(".py") || path == ".ci/run";
}

std::vector<Fault> lengthsOf(const SourceFile& file, const std::vector<Exception>& exceptions) {
    std::vector<Fault> faults;
    const std::size_t limit = isHeader(file.path) ? kHeaderLines : kSourceLines;
    const std::size_t hard = isHeader(file.path) ? kHeaderLinesHard : kSourceLinesHard;
    const std::size_t lines = file.lines.size();
    const bool isExcepted =
        std::ranges::find(exceptions, file.path, &Exception::path) != exceptions.end();
    if (lines > hard || (lines > limit && !isExcepted)) {
        faults.push_back({file.path, 0,
                          std::to_string(lines) + " lines, allowed are " +
                              std::to_string(lines > hard ? hard : limit)});
    }
    if (lines <= limit && isExcepted) {
        faults.push_back({file.path, 0, "is short again: take it off the list of exceptions"});
    }
    for (std::size_t i = 0; i < lines; ++i) {
        const std::size_t columns = columnsOf(file.lines[i]);
        if (columns > kColumns) {
            faults.push_back(
                {file.path, static_cast<int>(i + 1),
                 std::to_string(columns) + " columns, allowed are " + std::to_string(kColumns)});
        }
    }
    return faults;
}

// Put together from halves, so that this file does not contain them.
const std::vector<std::string>& unwantedWords() {
    static const std::vector<std::string> kWords{
        std::string("TO") + "DO", std::string("FIX") + "ME", std::string("XX") + "X"};
    return kWords;
}

const std::vector<std::string>& unwantedParts() {
    static const std::vector<std::string> kParts{
        std::string("pypi") + ".",        std::string("python") + "hosted.",
        std::string("deb.") + "debian",   std::string("download.") + "pytorch",
        std::string("regis") + "try.npm", std::string("/wo") + "rk/",
        std::string("/ro") + "ot/."};
    return kParts;
}

bool isLicenceText(std::string_view path) { return path.starts_with("LICENSE-"); }

}  // namespace

std::vector<Fault> lengthFaults(const SourceTree& tree, const std::vector<Exception>& exceptions) {
    std::vector<Fault> faults;
    for (const SourceFile& file : tree.files()) {
        if (!isCode(file.path)) continue;
        const std::vector<Fault> found = lengthsOf(file, exceptions);
        faults.insert(faults.end(), found.begin(), found.end());
    }
    for (const Exception& exception : exceptions) {
        if (tree.find(exception.path) == nullptr) {
            faults.push_back({exception.path, 0, "is an exception, but does not exist"});
        }
        if (exception.reason.empty()) {
            faults.push_back({exception.path, 0, "is an exception without a reason"});
        }
    }
    return faults;
}

std::vector<Fault> licenceFaults(const SourceTree& tree) {
    std::vector<Fault> faults;
    for (const SourceFile& file : tree.files()) {
        if (!needsLicence(file.path)) continue;
        const bool isScript = !file.lines.empty() && file.lines[0].starts_with("#!");
        const std::size_t at = isScript ? 1 : 0;
        const std::string wanted = std::string("SPDX-License-Identifier: ") +
                                   (isGpl(file.path) ? "GPL-3.0-or-later" : "Apache-2.0");
        if (file.lines.size() <= at || !file.lines[at].ends_with(wanted)) {
            faults.push_back({file.path, static_cast<int>(at + 1), "must be: " + wanted});
        }
    }
    return faults;
}

std::vector<Fault> nameFaults(const SourceTree& tree) {
    std::vector<Fault> faults;
    const auto isSnake = [](char c) {
        return std::islower(static_cast<unsigned char>(c)) != 0 ||
               std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '/';
    };
    for (const SourceFile& file : tree.files()) {
        if (!isCodeFolder(file.path) || !isCode(file.path)) continue;
        std::string_view withoutEnding =
            std::string_view(file.path).substr(0, file.path.rfind('.'));
        // What Highway compiles once per instruction set is marked so, and its tools look for it.
        if (withoutEnding.ends_with("-inl")) withoutEnding.remove_suffix(4);
        if (!std::ranges::all_of(withoutEnding, isSnake)) {
            faults.push_back({file.path, 0, "is not snake_case"});
        }
    }
    return faults;
}

std::vector<Fault> wordFaults(const SourceTree& tree) {
    std::vector<Fault> faults;
    for (const SourceFile& file : tree.files()) {
        if (isLicenceText(file.path)) continue;
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            const std::string& line = file.lines[i];
            for (const std::string& word : unwantedWords()) {
                if (hasWord(line, word)) {
                    faults.push_back({file.path, static_cast<int>(i + 1), "says " + word});
                }
            }
            for (const std::string& part : unwantedParts()) {
                if (line.find(part) != std::string::npos) {
                    faults.push_back({file.path, static_cast<int>(i + 1), "names " + part});
                }
            }
        }
    }
    return faults;
}

std::vector<Fault> exitFaults(const SourceTree& tree) {
    static constexpr std::array<std::string_view, 6> kCalls{"exit",   "abort", "quick_exit",
                                                            "printf", "cout",  "cerr"};
    std::vector<Fault> faults;
    for (const SourceFile& file : tree.files()) {
        const bool isBelowApp = file.path.starts_with("core/") || file.path.starts_with("gui/") ||
                                file.path.starts_with("kernels/");
        if (!isBelowApp || !isCode(file.path)) continue;
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            const std::string_view code = codeOf(file.lines[i]);
            for (const std::string_view call : kCalls) {
                const bool isStream = call.starts_with('c');
                const std::string text =
                    isStream ? "std::" + std::string(call) : "std::" + std::string(call) + "(";
                const std::size_t bare =
                    isStream ? std::string_view::npos : code.find(' ' + std::string(call) + '(');
                if (code.find(text) != std::string_view::npos || bare != std::string_view::npos) {
                    faults.push_back(
                        {file.path, static_cast<int>(i + 1), std::string(call) + " is for app"});
                }
            }
        }
    }
    return faults;
}

std::vector<Fault> qtKeywordFaults(const SourceTree& tree) {
    const SourceFile* file = tree.find("gui/CMakeLists.txt");
    if (file == nullptr) return {};
    const bool isDefined = std::ranges::any_of(
        file->lines, [](const std::string& line) { return hasWord(line, "QT_NO_KEYWORDS"); });
    if (isDefined) return {};
    return {{file->path, 0, "does not define QT_NO_KEYWORDS"}};
}

}  // namespace concertina::layering
