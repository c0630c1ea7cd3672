// SPDX-License-Identifier: Apache-2.0
#include "kernels/onebit.h"

#include "kernels/cpu/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/onebit.cpp"
#include "hwy/foreach_target.h"
#include "kernels/cpu/doubles-inl.h"
#include "kernels/cpu/sign_bits-inl.h"

#include <bitset>

HWY_BEFORE_NAMESPACE();
namespace concertina::kernels::HWY_NAMESPACE {

/// Both groups of a row: zeros join in each other's sum, where they change nothing.
GroupMeans meansOfRow(const float* row, std::int64_t columns) {
    Doubles positive = zeroDoubles(), negative = zeroDoubles();
    std::int64_t negatives = 0;
    for (std::int64_t j = 0; j < columns; j += kLanes) {
        const bool whole = j + kLanes <= columns;
        const Floats values = whole ? load(row + j) : loadSome(row + j, columns - j);
        const Floats below = choose(negativeBits(values), {broadcast(0), values});
        positive = positive + promote(values - below);
        negative = negative + promote(below);
        negatives += static_cast<std::int64_t>(std::bitset<8>(negativeBits(values)).count());
    }
    const auto mean = [](double sum, std::int64_t count) {
        return count == 0 ? 0.0F : static_cast<float>(sum / static_cast<double>(count));
    };
    return {mean(sumOfLanes(positive), columns - negatives), mean(sumOfLanes(negative), negatives)};
}

void packOnebitAll(float* values, RowShape shape, GroupMeans* means, std::uint8_t* signs) {
    for (std::int64_t row = 0; row < shape.rows; ++row) {
        const std::int64_t first = row * shape.columns;
        means[row] = meansOfRow(values + first, shape.columns);
        packRange(values, first, first + shape.columns, means[row].positive, means[row].negative,
                  signs);
    }
}

/// A rank's message.
struct Rank {
    const GroupMeans* means;
    const std::uint8_t* signs;
};

HWY_INLINE Rank rankOf(const SignMessages& messages, RowShape shape, int rank) {
    const auto* means = reinterpret_cast<const GroupMeans*>(messages.message(rank));
    return {means, reinterpret_cast<const std::uint8_t*>(means + shape.rows)};
}

float meanOfElement(const SignMessages& messages,
                    RowShape shape,
                    std::int64_t row,
                    std::int64_t i) {
    float sum = 0;
    for (int r = 0; r < messages.ranks; ++r) {
        const Rank rank = rankOf(messages, shape, r);
        sum += isNegative(rank.signs, i) ? rank.means[row].negative : rank.means[row].positive;
    }
    return sum / static_cast<float>(messages.ranks);
}

HWY_INLINE Floats meanOfEight(const SignMessages& messages,
                              RowShape shape,
                              std::int64_t row,
                              std::int64_t i) {
    Floats sum = broadcast(0);
    for (int r = 0; r < messages.ranks; ++r) {
        const Rank rank = rankOf(messages, shape, r);
        const GroupMeans means = rank.means[row];
        sum = sum + choose(rank.signs[i / 8], standIns(means.positive, means.negative));
    }
    return sum / broadcast(static_cast<float>(messages.ranks));
}

void meanOfOnebitAll(const SignMessages& messages, RowShape shape, float* mean) {
    for (std::int64_t row = 0; row < shape.rows; ++row) {
        const std::int64_t end = (row + 1) * shape.columns;
        std::int64_t i = row * shape.columns;
        for (; i < end && i % kLanes != 0; ++i) {
            mean[i] = meanOfElement(messages, shape, row, i);
        }
        for (; i + kLanes <= end; i += kLanes) {
            store(meanOfEight(messages, shape, row, i), mean + i);
        }
        for (; i < end; ++i) {
            mean[i] = meanOfElement(messages, shape, row, i);
        }
    }
}

}  // namespace concertina::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace concertina::kernels {
HWY_EXPORT(packOnebitAll);
HWY_EXPORT(meanOfOnebitAll);

namespace cpu {

KernelStatus packOnebit(float* values, RowShape shape, void* message, Stream) {
    auto* means = static_cast<GroupMeans*>(message);
    auto* signs = reinterpret_cast<std::uint8_t*>(means + shape.rows);
    std::memset(signs, 0, signBytes(shape.rows * shape.columns));
    HWY_DYNAMIC_DISPATCH(packOnebitAll)(values, shape, means, signs);
    return {};
}

KernelStatus meanOfOnebit(const SignMessages& messages, RowShape shape, float* mean, Stream) {
    HWY_DYNAMIC_DISPATCH(meanOfOnebitAll)(messages, shape, mean);
    return {};
}

}  // namespace cpu
}  // namespace concertina::kernels
#endif
