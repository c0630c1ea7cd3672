// SPDX-License-Identifier: Apache-2.0
// The one place that calls c10d::Reducer's constructor, which differs between libtorch versions.
// Training thread.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include <torch/csrc/distributed/c10d/reducer.hpp>

namespace concertina {

/// Which parameters share a bucket, in the order of the buckets and inside each: indices.
using BucketLayout = std::vector<std::vector<std::int64_t>>;

/// A Reducer whose buckets can be written down and built again. Sums over three ranks and more
/// depend in their last bits on where in a bucket a gradient lies, so a resumed run needs them.
class GradientReducer : public c10d::Reducer {
 public:
    using c10d::Reducer::Reducer;
    /// As they are now; final once rebuild_buckets() was called after the first backward pass.
    BucketLayout layout() const;
    /// rebuild_buckets() does nothing from now on, as after its first success.
    void keepBuckets() { has_rebuilt_bucket_ = true; }
};

/// Buckets as DistributedDataParallel makes them: 1 MiB first, 25 MiB after, in reverse order of
/// the parameters; or, with `oneBucket`, all in one, where compression has to see all layers at
/// once; or, unless it is empty, `layout`, kept for good. Gradients are views of the buckets, so
/// zero them in place. Throws Error(Usage) for a layout that does not hold each parameter once.
std::unique_ptr<GradientReducer> makeReducer(const std::vector<at::Tensor>& parameters,
                                             const std::vector<std::string>& names,
                                             c10::intrusive_ptr<c10d::ProcessGroup> group,
                                             bool oneBucket,
                                             const BucketLayout& layout = {});

}  // namespace concertina
