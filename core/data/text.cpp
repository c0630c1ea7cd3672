// SPDX-License-Identifier: Apache-2.0
// Text as numbers of words: a sample is a window of them, its target the same window one word on.
// Windows lie end to end, so window i + 1 goes on where window i ends.
#include <ATen/ops/empty.h>

#include <algorithm>

#include "core/catalogue/datasets/text_corpus.h"
#include "core/data/dataset.h"

namespace concertina {
namespace {

DataForm formOf(const TextCorpus& corpus, std::int64_t window) {
    return {.task = Task::Tokens,
            .inputShape = {window},
            .outputs = corpus.vocabulary,
            .trainSamples = windowsIn(static_cast<std::int64_t>(corpus.train.size()), window),
            .testSamples = windowsIn(static_cast<std::int64_t>(corpus.test.size()), window)};
}

class TextSet : public Dataset {
 public:
    TextSet(TextCorpus corpus, std::int64_t window)
        : Dataset(concertina::formOf(corpus, window)),
          corpus_(std::move(corpus)),
          window_(window) {}

 protected:
    Batch load(Split split, std::span<const std::int64_t> indices, int /*epoch*/) const override {
        const auto& words = split == Split::Train ? corpus_.train : corpus_.test;
        const auto samples = static_cast<std::int64_t>(indices.size());
        Batch batch{at::empty({samples, window_}, at::kLong),
                    at::empty({samples, window_}, at::kLong)};
        auto* input = batch.inputs.mutable_data_ptr<std::int64_t>();
        auto* target = batch.targets.mutable_data_ptr<std::int64_t>();
        for (const std::int64_t index : indices) {
            const auto first = words.begin() + index * window_;
            input = std::copy(first, first + window_, input);
            target = std::copy(first + 1, first + 1 + window_, target);
        }
        return batch;
    }

 private:
    TextCorpus corpus_;
    std::int64_t window_;
};

}  // namespace

std::unique_ptr<Dataset> makeText(const Settings& options, std::uint64_t /*seed*/) {
    return std::make_unique<TextSet>(readTextCorpus(options), integerOf(options, "window"));
}

}  // namespace concertina
