// SPDX-License-Identifier: Apache-2.0
#include "tests/layering/include_rules.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace concertina::layering {
namespace {

using Names = std::set<std::string_view>;

// What each folder may include besides itself. core_base is everything up to launch; a folder
// absent here is a fault, so that a new one is placed on purpose.
const std::map<std::string_view, Names>& allowedFolders() {
    static const Names kCoreBase{"core/base",   "core/catalogue", "core/analysis", "core/spec",
                                 "core/policy", "core/store",     "core/launch"};
    static const Names kUnderTrain = [] {
        Names names = kCoreBase;
        names.insert("kernels");
        return names;
    }();
    static const auto kWith = [](Names names, const Names& more) {
        names.insert(more.begin(), more.end());
        return names;
    };
    static const std::map<std::string_view, Names> kTable{
        {"kernels", {}},
        {"core/base", {"kernels"}},  // the counter-based generator has one body for host and device
        {"core/catalogue", {"core/base", "kernels"}},  // byte plans know the layout of messages
        {"core/analysis",
         {"core/base", "core/catalogue", "core/spec", "core/policy", "core/store"}},  // its rows
        {"core/spec", {"core/base", "core/catalogue"}},
        {"core/policy", {"core/base", "core/catalogue", "core/spec"}},
        {"core/store", {"core/base", "core/catalogue", "core/spec", "core/policy"}},
        {"core/launch", {"core/base", "core/catalogue", "core/spec", "core/policy", "core/store"}},
        {"core/compress", kUnderTrain},
        {"core/data", kUnderTrain},
        {"core/model", kUnderTrain},
        {"core/comm", kWith(kUnderTrain, {"core/compress"})},
        {"core/train",
         kWith(kUnderTrain, {"core/compress", "core/data", "core/model", "core/comm"})},
        {"core/minima", kWith(kUnderTrain, {"core/compress", "core/data", "core/model", "core/comm",
                                            "core/train"})},
        {"gui", kCoreBase},
    };
    return kTable;
}

/// "core/store" for core/store/x.h, "gui" for gui/plots/x.h: the unit that the table speaks of.
std::string_view unitOf(std::string_view path) {
    const std::size_t first = path.find('/');
    if (first == std::string_view::npos) return path;
    if (path.substr(0, first) != "core") return path.substr(0, first);
    const std::size_t second = path.find('/', first + 1);
    return path.substr(0, second);
}

bool isTrainUnit(std::string_view unit) {
    static const Names kUnits{"core/compress", "core/data",  "core/model",
                              "core/comm",     "core/train", "core/minima"};
    return kUnits.contains(unit);
}

constexpr std::string_view kRankMain = "app/rank_main.cpp";
constexpr std::string_view kWorkbenchMain = "app/workbench_main.cpp";

struct Include {
    int line;
    std::string_view name;
    bool quoted;
};

std::vector<Include> includesOf(const SourceFile& file) {
    std::vector<Include> includes;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
        std::string_view line = file.lines[i];
        const std::size_t hash = line.find_first_not_of(" \t");
        if (hash == std::string_view::npos || line[hash] != '#') continue;
        const std::size_t word = line.find("include", hash);
        if (word == std::string_view::npos) continue;
        const std::size_t open = line.find_first_of("\"<", word);
        if (open == std::string_view::npos) continue;
        const std::size_t close = line.find(line[open] == '"' ? '"' : '>', open + 1);
        includes.push_back(
            {static_cast<int>(i + 1), line.substr(open + 1, close - open - 1), line[open] == '"'});
    }
    return includes;
}

bool isCode(const SourceFile& file) { return isSource(file.path) || isHeader(file.path); }

/// Quoted on purpose: Highway's own headers, moc output, headers that CMake generates.
bool isOutside(std::string_view name) {
    return name.starts_with("hwy/") || name.ends_with(".moc") || name.starts_with("generated/");
}

bool isTorch(std::string_view name) {
    static constexpr std::array<std::string_view, 4> kPrefixes{"torch/", "ATen/", "c10/", "gloo/"};
    return std::ranges::any_of(kPrefixes, [&](std::string_view p) { return name.starts_with(p); });
}

bool isQt(std::string_view name) {
    if (name.starts_with("Qt") || name == "qcustomplot.h") return true;
    return name.size() > 1 && name[0] == 'Q' && name[1] >= 'A' && name[1] <= 'Z';
}

bool mayUseTorch(std::string_view path) {
    if (path.starts_with("tests/")) return !path.starts_with("tests/gui/");
    // The version of libtorch is asked for by name, and the rank is the one program that links it.
    return isTrainUnit(unitOf(path)) || path == "core/base/torch_version.cpp" || path == kRankMain;
}

bool mayUseQt(std::string_view path) {
    return path.starts_with("gui/") || path == kWorkbenchMain || path.starts_with("tests/gui/") ||
           path.starts_with("tests/support/") || path.starts_with("tests/bench/") ||
           path.starts_with("tests/contract/");
}

}  // namespace

std::vector<Fault> includeFaults(const SourceTree& tree) {
    std::vector<Fault> faults;
    for (const SourceFile& file : tree.files()) {
        if (!isCode(file)) continue;
        const std::string_view unit = unitOf(file.path);
        const bool isFree = unit == "app" || unit == "tests";
        const auto row = allowedFolders().find(unit);
        if (!isFree && row == allowedFolders().end()) {
            faults.push_back(
                {file.path, 0, std::string(unit) + " is in no row of the include table"});
            continue;
        }
        for (const Include& include : includesOf(file)) {
            if (!include.quoted || isOutside(include.name)) continue;
            if (tree.find(include.name) == nullptr) {
                faults.push_back(
                    {file.path, include.line,
                     "\"" + std::string(include.name) + "\" names no file from the root"});
                continue;
            }
            const std::string_view target = unitOf(include.name);
            if (isFree || target == unit || row->second.contains(target)) continue;
            faults.push_back({file.path, include.line,
                              std::string(unit) + " must not include " + std::string(target)});
        }
    }
    return faults;
}

std::vector<Fault> libraryFaults(const SourceTree& tree) {
    std::vector<Fault> faults;
    for (const SourceFile& file : tree.files()) {
        if (!isCode(file)) continue;
        bool usesQt = false;
        int torchLine = 0;  // of the first include of torch, direct or through a training folder
        for (const Include& include : includesOf(file)) {
            if (isTorch(include.name) || (include.quoted && isTrainUnit(unitOf(include.name)))) {
                if (torchLine == 0) torchLine = include.line;
            }
            if (isTorch(include.name) && !mayUseTorch(file.path)) {
                faults.push_back({file.path, include.line, "torch is for the training folders"});
            }
            if (isQt(include.name)) {
                usesQt = true;
                if (!mayUseQt(file.path)) {
                    faults.push_back({file.path, include.line, "Qt is for gui and the workbench"});
                }
            }
        }
        if (usesQt && torchLine != 0) {
            faults.push_back({file.path, torchLine, "Qt and torch in one file"});
        }
    }
    return faults;
}

std::vector<Fault> cudaFaults(const SourceTree& tree) {
    std::vector<Fault> faults;
    for (const SourceFile& file : tree.files()) {
        const std::string_view unit = unitOf(file.path);
        if (!isCode(file) || unit == "kernels" || unit == "core/comm" || unit == "tests") continue;
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            const std::string_view code = codeOf(file.lines[i]);
            const std::size_t hash = code.find_first_not_of(" \t");
            if (hash == std::string_view::npos || code[hash] != '#') continue;
            const bool isSwitch =
                code.find("if", hash) == code.find_first_not_of(" \t", hash + 1) ||
                code.find("elif", hash) != std::string_view::npos;
            const bool namesCuda = code.find("CUDA") != std::string_view::npos ||
                                   code.find("NCCL") != std::string_view::npos;
            if (isSwitch && namesCuda) {
                faults.push_back({file.path, static_cast<int>(i + 1),
                                  "CUDA switches are for kernels and core/comm"});
            }
            if (code.find("include <cuda") != std::string_view::npos ||
                code.find("include <nccl") != std::string_view::npos) {
                faults.push_back({file.path, static_cast<int>(i + 1),
                                  "CUDA headers are for kernels and core/comm"});
            }
        }
    }
    return faults;
}

}  // namespace concertina::layering
