// SPDX-License-Identifier: Apache-2.0
#include "core/comm/reducer.h"

#include <algorithm>
#include <string>
#include <type_traits>
#include <unordered_map>

#include "core/base/error.h"

namespace concertina {
namespace {

/// Calls the constructor with the arguments that every libtorch since 2.11 takes, and the defaults
/// of those that came later where this one asks for them. A template, so that only the form that
/// this libtorch has must compile.
template <typename Reducer, typename... Common>
std::unique_ptr<Reducer> construct(Common... common) {
    if constexpr (std::is_constructible_v<Reducer, Common...>) {
        return std::make_unique<Reducer>(std::move(common)...);
    } else {
        constexpr bool kSkipUnused = false, kPythonReducer = false;
        return std::make_unique<Reducer>(std::move(common)..., kSkipUnused, kPythonReducer,
                                         std::vector<std::int64_t>{});
    }
}

using Buckets = std::vector<std::vector<std::size_t>>;

Buckets bucketsOf(const BucketLayout& layout, std::size_t parameters) {
    Buckets buckets;
    std::vector<bool> seen(parameters, false);
    std::size_t count = 0;
    for (const auto& bucket : layout) {
        buckets.emplace_back();
        for (const std::int64_t index : bucket) {
            const auto place = static_cast<std::size_t>(index);
            if (index < 0 || place >= parameters || seen[place]) {
                throw Error(ErrorKind::Usage, "the checkpoint's buckets hold parameter " +
                                                  std::to_string(index) + " twice or beyond " +
                                                  std::to_string(parameters));
            }
            seen[place] = true;
            buckets.back().push_back(place);
            ++count;
        }
        if (bucket.empty()) {
            throw Error(ErrorKind::Usage, "a bucket of the checkpoint is empty");
        }
    }
    if (count != parameters) {
        throw Error(ErrorKind::Usage, "the checkpoint's buckets hold " + std::to_string(count) +
                                          " parameters, the model has " +
                                          std::to_string(parameters));
    }
    return buckets;
}

}  // namespace

BucketLayout GradientReducer::layout() const {
    BucketLayout layout(buckets_.size());
    for (std::size_t i = 0; i < variable_locators_.size(); ++i) {
        auto& bucket = layout.at(variable_locators_[i].bucket_index);
        const std::size_t place = variable_locators_[i].intra_bucket_index;
        bucket.resize(std::max(bucket.size(), place + 1));
        bucket[place] = static_cast<std::int64_t>(i);
    }
    return layout;
}

std::unique_ptr<GradientReducer> makeReducer(const std::vector<at::Tensor>& parameters,
                                             const std::vector<std::string>& names,
                                             c10::intrusive_ptr<c10d::ProcessGroup> group,
                                             bool oneBucket,
                                             const BucketLayout& layout) {
    // Of all that fits into memory, and twice of it still a number of 64 bits.
    constexpr std::int64_t kUnlimited = std::int64_t{1} << 60;
    const std::int64_t firstBytes = oneBucket ? kUnlimited : c10d::kDefaultFirstBucketBytes;
    const std::int64_t bytes = oneBucket ? kUnlimited : c10d::kDefaultBucketBytesCap;
    const std::vector<std::size_t> limits{static_cast<std::size_t>(firstBytes),
                                          static_cast<std::size_t>(bytes)};
    Buckets buckets;
    if (layout.empty()) {
        buckets = std::get<0>(c10d::compute_bucket_assignment_by_size(parameters, limits));
        std::reverse(buckets.begin(), buckets.end());
    } else {
        buckets = bucketsOf(layout, parameters.size());
    }
    std::unordered_map<std::size_t, std::string> nameOf;
    for (std::size_t i = 0; i < names.size(); ++i) {
        nameOf[i] = names[i];
    }
    constexpr bool kFindUnused = false, kGradientIsBucketView = true;
    auto reducer =
        construct<GradientReducer>(parameters, std::move(buckets), std::move(group),
                                   std::vector<bool>(parameters.size(), false), bytes, kFindUnused,
                                   kGradientIsBucketView, std::move(nameOf), firstBytes);
    if (!layout.empty()) {
        reducer->keepBuckets();
    }
    return reducer;
}

}  // namespace concertina
