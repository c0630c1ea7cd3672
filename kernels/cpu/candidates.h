// SPDX-License-Identifier: Apache-2.0
// The elements of a tensor that a vectorized pass found, for the scalar rest of a selection: TopK
// looks for its threshold among them, the others send them as they are. Used inside one call of a
// kernel.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace concertina::kernels {

/// Elements looked at between two requests for room.
constexpr std::int64_t kChunk = 4096;

class Candidates {
 public:
    /// Without indices only the bits are kept: for a threshold among them.
    explicit Candidates(bool withIndices = true) : withIndices_(withIndices) {}

    std::unique_ptr<std::int32_t[]> indices;  // ascending; null without
    std::unique_ptr<std::int32_t[]>
        bits;              // of the fp32 values, kept here because they lie far apart in the tensor
    std::size_t size = 0;  // of both; what is behind it is room

    /// Room that is never written costs nothing, so callers ask for what may be needed at first.
    void makeRoom(std::size_t more) {
        if (room_ < size + more) {
            room_ = 2 * size + more;
            if (withIndices_) {
                grow(indices);
            }
            grow(bits);
        }
    }

 private:
    void grow(std::unique_ptr<std::int32_t[]>& words) const {
        auto wider = std::make_unique_for_overwrite<std::int32_t[]>(room_);
        std::copy_n(words.get(), size, wider.get());
        words = std::move(wider);
    }

    bool withIndices_;
    std::size_t room_ = 0;
};

/// Appends the elements whose |x| has at least the pattern `least` (topk_threshold.h).
void findAbove(const float* values, std::int64_t count, std::uint32_t least, Candidates& found);

/// Moves what was found out of `values` into a message of variable size, as select.h says, and
/// returns its bytes. Where it goes dense, `found` may end early.
std::int64_t moveOut(const Candidates& found, float* values, std::int64_t count, void* message);

}  // namespace concertina::kernels
