// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/datasets/synthetic.h"

#include <cmath>
#include <numbers>

namespace concertina {

std::vector<Parameter> syntheticParameters() {
    const auto integer = [](const char* name, const char* unit, std::int64_t value, double min,
                            double max, const char* summary) {
        return Parameter{.name = name,
                         .type = ParameterType::Integer,
                         .unit = unit,
                         .defaultValue = value,
                         .min = min,
                         .max = max,
                         .summary = summary};
    };
    return {integer("data_seed", "1", 1, 0, 4294967295.0,
                    "start of the random numbers that the data are made of; the run's seed does "
                    "not change them"),
            integer("train_samples", "samples", 4096, 1, 1e9, "training samples"),
            integer("test_samples", "samples", 1024, 1, 1e9, "test samples"),
            integer("features", "1", 16, 1, 65536, "numbers of one sample")};
}

double bestMixtureAccuracy(std::int64_t classes, double distance) {
    const double mean = distance / std::numbers::sqrt2;
    const auto density = [](double x) {
        return std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
    };
    const auto below = [](double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; };
    constexpr double kStep = 1e-3;
    double sum = 0;
    for (double x = mean - 10; x < mean + 10; x += kStep) {
        sum += density(x - mean) * std::pow(below(x), static_cast<double>(classes - 1)) * kStep;
    }
    return sum;
}

}  // namespace concertina
