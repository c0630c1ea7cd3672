// SPDX-License-Identifier: Apache-2.0
// Fashion-MNIST and any other data in the MNIST family's four IDX files
// (resources/datasets/fashion-mnist.md). Pixels stay bytes in memory; a batch is normalized as
// (pixel / 255 - mean) / deviation of the training set.
#include <ATen/ops/empty.h>

#include <algorithm>
#include <stdexcept>

#include "core/catalogue/datasets/idx_files.h"
#include "core/data/dataset.h"

namespace concertina {
namespace {

// Of the 60,000 training images.
constexpr float kMean = 0.2860F;
constexpr float kDeviation = 0.3530F;

struct Part {
    std::int64_t count = 0, rows = 0, columns = 0;
    std::vector<std::uint8_t> pixels, labels;
};

Part loadPart(const std::string& folder, const std::string& prefix, std::int64_t limit) {
    IdxArray images = readIdx(folder, prefix + "-images-idx3-ubyte");
    IdxArray labels = readIdx(folder, prefix + "-labels-idx1-ubyte");
    Part part;
    part.count = limit > 0 ? std::min(limit, images.dims[0]) : images.dims[0];
    part.rows = images.dims[1];
    part.columns = images.dims[2];
    part.pixels = std::move(images.bytes);
    part.labels = std::move(labels.bytes);
    return part;
}

class FashionMnist : public Dataset {
 public:
    explicit FashionMnist(const Settings& options)
        : train_(loadPart(textOf(options, "path"), "train", integerOf(options, "train_samples"))),
          test_(loadPart(textOf(options, "path"), "t10k", integerOf(options, "test_samples"))) {}

    std::int64_t size(Split split) const override { return part(split).count; }

    Batch batch(Split split, std::span<const std::int64_t> indices) const override {
        const Part& from = part(split);
        const auto samples = static_cast<std::int64_t>(indices.size());
        const std::int64_t pixels = from.rows * from.columns;
        Batch batch;
        batch.inputs = at::empty({samples, 1, from.rows, from.columns}, at::kFloat);
        batch.targets = at::empty({samples}, at::kLong);
        auto* input = batch.inputs.mutable_data_ptr<float>();
        auto* target = batch.targets.mutable_data_ptr<std::int64_t>();
        for (const std::int64_t index : indices) {
            if (index < 0 || index >= from.count) {
                throw std::out_of_range("sample " + std::to_string(index) + " of " +
                                        std::to_string(from.count));
            }
            const std::uint8_t* source = from.pixels.data() + index * pixels;
            for (std::int64_t i = 0; i < pixels; ++i) {
                *input++ = (static_cast<float>(source[i]) / 255.0F - kMean) / kDeviation;
            }
            *target++ = from.labels[static_cast<std::size_t>(index)];
        }
        return batch;
    }

 private:
    const Part& part(Split split) const { return split == Split::Train ? train_ : test_; }

    Part train_, test_;
};

}  // namespace

std::unique_ptr<Dataset> makeFashionMnist(const Settings& options) {
    return std::make_unique<FashionMnist>(options);
}

}  // namespace concertina
