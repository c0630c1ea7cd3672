// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/datasets/text_corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/base/text.h"
#include "core/catalogue/datasets/data_file.h"

namespace concertina {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostBytes = std::size_t{2} << 30;
constexpr std::string_view kBlanks = " \t\r\v\f";
constexpr std::string_view kEndOfLine = "<eos>";
constexpr std::string_view kUnknown = "<unk>";

template <typename Visit>
void forEachWord(std::string_view text, Visit visit) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        for (std::size_t at = line.find_first_not_of(kBlanks); at != std::string_view::npos;
             at = line.find_first_not_of(kBlanks)) {
            line.remove_prefix(at);
            const std::size_t length = std::min(line.find_first_of(kBlanks), line.size());
            visit(line.substr(0, length));
            line.remove_prefix(length);
        }
        visit(kEndOfLine);
    }
}

std::string readUtf8(const fs::path& folder, const std::string& name) {
    DataFile file(folder, name);
    std::string text = file.readText(kMostBytes);
    if (text.empty()) {
        failData(file.path(), "is empty");
    }
    if (text.starts_with("PK\x03\x04")) {
        failData(file.path(), "is a zip archive: unpack it");
    }
    if (text.find('\0') != std::string::npos || !isUtf8(text)) {
        failData(file.path(), "is not UTF-8 text");
    }
    return text;
}

void limitWords(std::vector<std::int32_t>& words, std::int64_t limit) {
    if (limit > 0 && limit < static_cast<std::int64_t>(words.size())) {
        words.resize(static_cast<std::size_t>(limit));
    }
}

void requireWindow(const fs::path& file,
                   const std::vector<std::int32_t>& words,
                   std::int64_t length) {
    if (windowsIn(static_cast<std::int64_t>(words.size()), length) == 0) {
        failData(file, fmt::format("holds {} words, which is too short for one window of {} and "
                                   "the word after it",
                                   words.size(), length));
    }
}

}  // namespace

Vocabulary::Vocabulary(std::string_view text, std::int64_t limit) {
    std::vector<std::string_view> found;
    std::vector<std::int64_t> counts;
    std::unordered_map<std::string_view, std::size_t> places;
    forEachWord(text, [&](std::string_view word) {
        const auto [at, isNew] = places.try_emplace(word, found.size());
        if (isNew) {
            found.push_back(word);
            counts.push_back(0);
        }
        ++counts[at->second];
    });
    if (const auto [at, isNew] = places.try_emplace(kUnknown, found.size()); isNew) {
        found.push_back(kUnknown);
        counts.push_back(0);
    }
    counts[places[kUnknown]] = std::numeric_limits<std::int64_t>::max();
    std::vector<std::size_t> kept(found.size());
    std::iota(kept.begin(), kept.end(), 0);
    if (limit > 0 && static_cast<std::size_t>(limit) < kept.size()) {
        std::stable_sort(kept.begin(), kept.end(),
                         [&](std::size_t a, std::size_t b) { return counts[a] > counts[b]; });
        kept.resize(static_cast<std::size_t>(limit));
        std::sort(kept.begin(), kept.end());
    }
    words_.reserve(kept.size());  // numbers_ looks into it: never moved again
    for (const std::size_t place : kept) {
        words_.emplace_back(found[place]);
        numbers_.emplace(words_.back(), static_cast<std::int32_t>(words_.size() - 1));
    }
}

std::vector<std::int32_t> Vocabulary::numbersOf(std::string_view text) const {
    const std::int32_t unknown = numbers_.at(kUnknown);
    std::vector<std::int32_t> numbers;
    forEachWord(text, [&](std::string_view word) {
        const auto at = numbers_.find(word);
        numbers.push_back(at == numbers_.end() ? unknown : at->second);
    });
    return numbers;
}

TextCorpus readTextCorpus(const Settings& settings) {
    const fs::path folder = textOf(settings, "path");
    const std::string trainFile = textOf(settings, "train_file");
    const std::string testFile = textOf(settings, "test_file");
    const std::string train = readUtf8(folder, trainFile);
    const std::string test = readUtf8(folder, testFile);
    const Vocabulary vocabulary(train, integerOf(settings, "vocabulary"));
    TextCorpus corpus{vocabulary.size(), vocabulary.numbersOf(train), vocabulary.numbersOf(test)};
    limitWords(corpus.train, integerOf(settings, "train_words"));
    limitWords(corpus.test, integerOf(settings, "test_words"));
    const std::int64_t length = integerOf(settings, "window");
    requireWindow(dataPath(folder, trainFile), corpus.train, length);
    requireWindow(dataPath(folder, testFile), corpus.test, length);
    return corpus;
}

}  // namespace concertina
