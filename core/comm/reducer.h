// SPDX-License-Identifier: Apache-2.0
// The one place that calls c10d::Reducer's constructor, which differs between libtorch versions.
// Training thread.
#pragma once
#include <memory>
#include <vector>

#include <torch/csrc/distributed/c10d/reducer.hpp>

namespace concertina {

/// Buckets as DistributedDataParallel makes them: 1 MiB first, 25 MiB after, in reverse order of
/// the parameters; or, with `oneBucket`, all in one, where compression has to see all layers at
/// once. Gradients are views of the buckets, so zero them in place.
std::unique_ptr<c10d::Reducer> makeReducer(const std::vector<at::Tensor>& parameters,
                                           const std::vector<std::string>& names,
                                           c10::intrusive_ptr<c10d::ProcessGroup> group,
                                           bool oneBucket);

}  // namespace concertina
