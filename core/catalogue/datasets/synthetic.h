// SPDX-License-Identifier: Apache-2.0
// Data drawn instead of read: what their descriptors share, and what is known about the answers.
// Pure, any thread.
#pragma once
#include "core/catalogue/catalogue.h"

namespace concertina {

/// data_seed, train_samples, test_samples, features.
std::vector<Parameter> syntheticParameters();

/// The share of samples that the best possible classifier of the data set `mixture` gets right:
/// with means a e_k, a = distance / sqrt(2), and unit variances, a sample is right when its own
/// coordinate, N(a, 1), is above the other classes - 1, each N(0, 1). Integrated numerically to
/// 1e-6.
double bestMixtureAccuracy(std::int64_t classes, double distance);

}  // namespace concertina
