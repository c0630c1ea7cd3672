// SPDX-License-Identifier: Apache-2.0
#include "core/comm/reducer.h"

#include <algorithm>
#include <string>
#include <type_traits>
#include <unordered_map>

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

}  // namespace

std::unique_ptr<c10d::Reducer> makeReducer(const std::vector<at::Tensor>& parameters,
                                           const std::vector<std::string>& names,
                                           c10::intrusive_ptr<c10d::ProcessGroup> group,
                                           bool oneBucket) {
    // Of all that fits into memory, and twice of it still a number of 64 bits.
    constexpr std::int64_t kUnlimited = std::int64_t{1} << 60;
    const std::int64_t firstBytes = oneBucket ? kUnlimited : c10d::kDefaultFirstBucketBytes;
    const std::int64_t bytes = oneBucket ? kUnlimited : c10d::kDefaultBucketBytesCap;
    const std::vector<std::size_t> limits{static_cast<std::size_t>(firstBytes),
                                          static_cast<std::size_t>(bytes)};
    auto buckets = std::get<0>(c10d::compute_bucket_assignment_by_size(parameters, limits));
    std::reverse(buckets.begin(), buckets.end());
    std::unordered_map<std::size_t, std::string> nameOf;
    for (std::size_t i = 0; i < names.size(); ++i) {
        nameOf[i] = names[i];
    }
    constexpr bool kFindUnused = false, kGradientIsBucketView = true;
    return construct<c10d::Reducer>(parameters, std::move(buckets), std::move(group),
                                    std::vector<bool>(parameters.size(), false), bytes, kFindUnused,
                                    kGradientIsBucketView, std::move(nameOf), firstBytes);
}

}  // namespace concertina
