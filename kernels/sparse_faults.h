// SPDX-License-Identifier: Apache-2.0
// What a corrupted sparse payload is told, in the same words on CPU and GPU. Pure; any thread.
#pragma once
#include <cstdint>
#include <string>

namespace concertina::kernels {

/// Why index `index` at `position` of a rank's list cannot be: outside the tensor, or not above
/// `before`, the index in front of it.
inline std::string indexFault(
    int rank, std::int64_t position, std::int64_t index, std::int64_t before, std::int64_t count) {
    const std::string found = "the sparse list of rank " + std::to_string(rank) +
                              " names element " + std::to_string(index) + " at position " +
                              std::to_string(position);
    return index < 0 || index >= count
               ? found + ", but the tensor has elements 0 to " + std::to_string(count - 1)
               : found + " after element " + std::to_string(before) +
                     ", but elements are named in ascending order";
}

inline std::string lengthFault(int rank, std::int64_t bytes, std::int64_t count) {
    return "the sparse message of rank " + std::to_string(rank) + " has " + std::to_string(bytes) +
           " bytes, but for " + std::to_string(count) + " elements it has " +
           std::to_string(4 * count) + ", or fewer and a multiple of 8";
}

inline std::string bitmapFault(int rank, std::int64_t ones, std::int64_t kept) {
    return "the index bitmap of rank " + std::to_string(rank) + " has " + std::to_string(ones) +
           " bits set, but stands for " + std::to_string(kept) + " elements";
}

}  // namespace concertina::kernels
