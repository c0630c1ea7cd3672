// SPDX-License-Identifier: Apache-2.0
#include "core/data/dataset.h"

#include <stdexcept>

namespace concertina {

Batch Dataset::batch(Split split, std::span<const std::int64_t> indices, int epoch) const {
    for (const std::int64_t index : indices) {
        if (index < 0 || index >= size(split)) {
            throw std::out_of_range("sample " + std::to_string(index) + " of " +
                                    std::to_string(size(split)));
        }
    }
    return load(split, indices, epoch);
}

}  // namespace concertina
