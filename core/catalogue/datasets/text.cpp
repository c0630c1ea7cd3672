// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/catalogue/catalogue.h"
#include "core/catalogue/datasets/text_corpus.h"

namespace concertina {
namespace {

std::vector<std::string> problems(const Settings& settings) {
    try {
        readTextCorpus(settings);
    } catch (const Error& error) {
        return {error.what()};
    }
    return {};
}

DataForm formWith(std::int64_t vocabulary,
                  std::int64_t window,
                  std::int64_t trainWords,
                  std::int64_t testWords) {
    return {.task = Task::Tokens,
            .inputShape = {window},
            .outputs = vocabulary,
            .trainSamples = windowsIn(trainWords, window),
            .testSamples = windowsIn(testWords, window)};
}

DataForm formOf(const Settings& settings) {
    const TextCorpus corpus = readTextCorpus(settings);
    return formWith(corpus.vocabulary, integerOf(settings, "window"),
                    static_cast<std::int64_t>(corpus.train.size()),
                    static_cast<std::int64_t>(corpus.test.size()));
}

Parameter textParameter(const char* name, const char* defaultText, const char* summary) {
    return {.name = name,
            .type = ParameterType::Text,
            .unit = "",
            .defaultValue = std::string(defaultText),
            .summary = summary};
}

Parameter wordsParameter(
    const char* name, std::int64_t defaultWords, double min, double max, const char* summary) {
    return {.name = name,
            .type = ParameterType::Integer,
            .unit = "words",
            .defaultValue = defaultWords,
            .min = min,
            .max = max,
            .summary = summary};
}

}  // namespace

DatasetDescriptor textDataset() {
    constexpr double kMostWords = 1e9;
    return {.name = "text",
            .summary = "Text in the form of WikiText: predict the next word",
            .parameters = {textParameter("path", "/usr/share/datasets/wikitext-2",
                                         "folder of the two files"),
                           textParameter("train_file", "wiki.train.tokens",
                                         "text to train on, words parted by blanks; plain or .gz"),
                           textParameter("test_file", "wiki.test.tokens", "text to test on"),
                           wordsParameter("window", 30, 1, 65536,
                                          "words of one sample: how far back gradients go"),
                           wordsParameter(
                               "vocabulary", 0, 0, kMostWords,
                               "most frequent words that are told apart, <unk> being one; 0 = all "
                               "words of the training text"),
                           wordsParameter("train_words", 0, 0, kMostWords,
                                          "how many of the first training words are used; 0 = all"),
                           wordsParameter("test_words", 0, 0, kMostWords,
                                          "how many of the first test words are used; 0 = all")},
            // WikiText-2: 2,088,628 words to train, 245,569 to test, each line's end counted.
            .form = formWith(33278, 30, 2088628, 245569),
            .problems = problems,
            .formOf = formOf,
            .formNeedsFiles = true};
}

}  // namespace concertina
