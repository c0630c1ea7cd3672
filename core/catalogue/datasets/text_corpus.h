// SPDX-License-Identifier: Apache-2.0
// A corpus in the form of WikiText (Merity et al. 2016): a text file for training and one for
// testing, words parted by blanks. Called by the catalogue before a run starts and by core/data on
// each rank, so that all have the same vocabulary. No state, any thread.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/value.h"

namespace concertina {

/// Words and their numbers. Every line ends with the word <eos>, an empty line as well.
class Vocabulary {
 public:
    /// The words of `text` in order of first appearance, <unk> last if it is not among them. With
    /// `limit` > 0 only the `limit` most frequent (the earlier of equally frequent ones), <unk>
    /// always among them.
    explicit Vocabulary(std::string_view text, std::int64_t limit = 0);

    std::int64_t size() const { return static_cast<std::int64_t>(words_.size()); }
    const std::vector<std::string>& words() const { return words_; }
    /// The number of each word of `text`, <unk>'s where it is not known.
    std::vector<std::int32_t> numbersOf(std::string_view text) const;

 private:
    std::vector<std::string> words_;
    std::unordered_map<std::string_view, std::int32_t> numbers_;  // views into words_
};

struct TextCorpus {
    std::int64_t vocabulary = 0;
    std::vector<std::int32_t> train, test;  // words of both files as numbers
};

/// Reads both files as the settings of the data set `text` say. Throws Error(Usage) naming the file
/// that is absent, no UTF-8 text, or too short for one window.
TextCorpus readTextCorpus(const Settings& settings);

/// Windows of `length` words, each with the word after it, that `words` hold.
constexpr std::int64_t windowsIn(std::int64_t words, std::int64_t length) {
    return words > 0 ? (words - 1) / length : 0;
}

}  // namespace concertina
