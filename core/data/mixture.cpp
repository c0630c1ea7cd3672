// SPDX-License-Identifier: Apache-2.0
// Normal clouds, a class each (resources/datasets/mixture.md).
#include <ATen/ops/empty.h>

#include <numbers>

#include "core/data/normals.h"

namespace concertina {
namespace {

/// Class k's cloud has its middle on axis k, as far out as makes any two middles `distance` apart.
class Mixture : public Dataset {
 public:
    explicit Mixture(const Settings& options)
        : Dataset(findDataset("mixture")->formOf(options)),
          seed_(static_cast<std::uint64_t>(integerOf(options, "data_seed"))),
          mean_(realOf(options, "distance") / std::numbers::sqrt2) {}

 protected:
    Batch load(Split split, std::span<const std::int64_t> indices, int /*epoch*/) const override {
        const auto samples = static_cast<std::int64_t>(indices.size());
        const std::int64_t features = form().inputShape[0];
        Batch batch{at::empty({samples, features}, at::kFloat), at::empty({samples}, at::kLong)};
        auto* input = batch.inputs.mutable_data_ptr<float>();
        auto* target = batch.targets.mutable_data_ptr<std::int64_t>();
        for (const std::int64_t index : indices) {
            const std::int64_t label = index % form().outputs;
            Normals normals(randomStream(seed_, "mixture", placeOf(split, index)));
            for (std::int64_t i = 0; i < features; ++i) {
                *input++ = static_cast<float>(normals.next() + (i == label ? mean_ : 0));
            }
            *target++ = label;
        }
        return batch;
    }

 private:
    std::uint64_t seed_;
    double mean_;
};

}  // namespace

std::unique_ptr<Dataset> makeMixture(const Settings& options, std::uint64_t /*seed*/) {
    return std::make_unique<Mixture>(options);
}

}  // namespace concertina
