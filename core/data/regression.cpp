// SPDX-License-Identifier: Apache-2.0
// Linear functions of normal numbers, with noise (resources/datasets/regression.md).
#include <ATen/ops/empty.h>

#include <cmath>
#include <numeric>

#include "core/data/normals.h"

namespace concertina {
namespace {

/// y = W x + noise; feature i of x has variance condition^(-i / (features - 1)).
class Regression : public Dataset {
 public:
    explicit Regression(const Settings& options)
        : Dataset(findDataset("regression")->formOf(options)),
          seed_(static_cast<std::uint64_t>(integerOf(options, "data_seed"))),
          noise_(realOf(options, "noise")) {
        const std::int64_t features = form().inputShape[0];
        const double condition = realOf(options, "condition");
        Normals normals(randomStream(seed_, "regression-weights"));
        for (std::int64_t i = 0; i < form().outputs * features; ++i) {
            weights_.push_back(normals.next() / std::sqrt(static_cast<double>(features)));
        }
        for (std::int64_t i = 0; i < features; ++i) {
            const double place = features > 1 ? static_cast<double>(i) / (features - 1.0) : 0;
            deviations_.push_back(std::pow(condition, -place / 2));
        }
    }

 protected:
    Batch load(Split split, std::span<const std::int64_t> indices, int /*epoch*/) const override {
        const auto samples = static_cast<std::int64_t>(indices.size());
        const std::int64_t features = form().inputShape[0];
        Batch batch{at::empty({samples, features}, at::kFloat),
                    at::empty({samples, form().outputs}, at::kFloat)};
        auto* input = batch.inputs.mutable_data_ptr<float>();
        auto* target = batch.targets.mutable_data_ptr<float>();
        std::vector<double> x(deviations_.size());
        for (const std::int64_t index : indices) {
            Normals normals(randomStream(seed_, "regression", placeOf(split, index)));
            for (std::size_t i = 0; i < x.size(); ++i) {
                x[i] = deviations_[i] * normals.next();
                *input++ = static_cast<float>(x[i]);
            }
            for (auto row = weights_.begin(); row != weights_.end(); row += features) {
                const double clean = std::inner_product(x.begin(), x.end(), row, 0.0);
                *target++ = static_cast<float>(clean + noise_ * normals.next());
            }
        }
        return batch;
    }

 private:
    std::uint64_t seed_;
    double noise_;
    std::vector<double> weights_;     // (outputs, features)
    std::vector<double> deviations_;  // (features)
};

}  // namespace

std::unique_ptr<Dataset> makeRegression(const Settings& options, std::uint64_t /*seed*/) {
    return std::make_unique<Regression>(options);
}

}  // namespace concertina
