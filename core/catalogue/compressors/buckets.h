// SPDX-License-Identifier: Apache-2.0
// What the byte plans of the compressors with buckets share: elements that have a scale in common
// (kernels/dithering.h). Pure; any thread.
#pragma once
#include <fmt/format.h>

#include <cstdint>
#include <vector>

#include "core/catalogue/catalogue.h"

namespace concertina {

/// What the scales of `elements` elements take, one fp32 a bucket.
constexpr std::int64_t scaleBytes(std::int64_t elements, std::int64_t bucket) {
    return 4 * ((elements + bucket - 1) / bucket);
}

/// Of the option "bucket": codes are packed 32 at a time.
inline std::vector<KeyConflict> bucketConflicts(const Settings& options) {
    const std::int64_t bucket = integerOf(options, "bucket");
    if (bucket % 32 == 0) {
        return {};
    }
    return {{"bucket", fmt::format("found {}, allowed: a multiple of 32", bucket)}};
}

}  // namespace concertina
