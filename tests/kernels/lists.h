// SPDX-License-Identifier: Apache-2.0
// Sparse messages written and read by hand, for the tests of the sparse kernels.
#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "kernels/sparse_lists.h"

namespace concertina::kernels {

/// Indices, then values, as in a payload.
inline std::vector<std::int32_t> wordsOf(const std::vector<std::int32_t>& indices,
                                         const std::vector<float>& values) {
    std::vector<std::int32_t> words(indices);
    words.resize(indices.size() + values.size());
    if (!values.empty()) {
        std::memcpy(&words[indices.size()], values.data(), values.size() * sizeof(float));
    }
    return words;
}

/// What a selection of variable size left behind and sent.
struct SelectedMessage {
    std::vector<std::int32_t> indices;  // of all elements where it went dense
    std::vector<float> values, residual;
    std::int64_t writtenBytes = -1;

    bool operator==(const SelectedMessage& other) const {
        return indices == other.indices && values == other.values && residual == other.residual &&
               writtenBytes == other.writtenBytes;
    }
};

/// What `select(values, message, writtenBytes)` does to `values`.
template <typename Select>
SelectedMessage selectedBy(Select select, std::vector<float> values) {
    const auto count = static_cast<std::int64_t>(values.size());
    std::vector<float> message(count, -99);
    SelectedMessage got;
    EXPECT_TRUE(select(values.data(), message.data(), got.writtenBytes).ok);
    SparseList list{};
    EXPECT_TRUE(readSparseMessage(message.data(), got.writtenBytes, count, 0, list).ok);
    got.indices.resize(list.kept);
    got.values.resize(list.kept);
    for (std::int64_t i = 0; i < list.kept; ++i) {
        got.indices[i] = static_cast<std::int32_t>(i);
        got.values[i] = message[list.isDense ? i : list.kept + i];
        if (!list.isDense) {
            std::memcpy(&got.indices[i], &message[i], sizeof(float));
        }
    }
    got.residual = std::move(values);
    return got;
}

/// The same from the elements that are wanted, by a plain loop.
inline SelectedMessage selectedByLoop(const std::vector<float>& values,
                                      const std::vector<bool>& wanted) {
    SelectedMessage expected;
    const auto count = static_cast<std::int64_t>(values.size());
    std::int64_t kept = 0;
    for (const bool w : wanted) {
        kept += w ? 1 : 0;
    }
    const bool isDense = 2 * kept >= count;
    expected.residual = values;
    expected.writtenBytes = isDense ? 4 * count : 8 * kept;
    for (std::int64_t i = 0; i < count; ++i) {
        if (isDense || wanted[i]) {
            expected.indices.push_back(static_cast<std::int32_t>(i));
            expected.values.push_back(values[i]);
            expected.residual[i] = 0;
        }
    }
    return expected;
}

}  // namespace concertina::kernels
