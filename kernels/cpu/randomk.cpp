// SPDX-License-Identifier: Apache-2.0
// A scattered position costs a walk through a network and then a cache miss. One after the other
// they wait for each other, so positions are drawn in batches, eight at a time, and the misses of a
// batch overlap.
#include "kernels/randomk.h"

#include "kernels/cpu/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/randomk.cpp"
#include "hwy/foreach_target.h"
#include "kernels/cpu/lanes-inl.h"
#include "kernels/cpu/position_batch.h"

HWY_BEFORE_NAMESPACE();
namespace concertina::kernels::HWY_NAMESPACE {

using BitsPart = hn::Vec<BitsTag>;

HWY_INLINE BitsPart all(std::uint32_t value) { return hn::Set(BitsTag(), value); }

/// FeistelNetwork::mixed
HWY_INLINE BitsPart mixed(BitsPart half, std::uint32_t key) {
    auto hash = hn::Xor(half, all(key));
    hash = hn::Mul(hn::Xor(hash, hn::ShiftRight<16>(hash)), all(0x85EBCA6BU));
    hash = hn::Mul(hn::Xor(hash, hn::ShiftRight<13>(hash)), all(0xC2B2AE35U));
    return hn::Xor(hash, hn::ShiftRight<16>(hash));
}

/// FeistelNetwork::encipher of numbers below 2^32, and of the rest of the last eight.
HWY_INLINE void encipherAll(const FeistelNetwork& network, std::uint32_t* numbers, int count) {
    const int lowBits = static_cast<int>(network.lowBits);
    for (int i = 0; i < count; i += static_cast<int>(kFloatWidth)) {
        const auto number = hn::LoadU(BitsTag(), numbers + i);
        auto low = hn::And(number, all(network.lowMask));
        auto high = hn::ShiftRightSame(number, lowBits);
        for (int round = 0; round < FeistelNetwork::kRounds; round += 2) {
            high = hn::Xor(high, hn::And(mixed(low, network.keys[round]), all(network.highMask)));
            low = hn::Xor(low, hn::And(mixed(high, network.keys[round + 1]), all(network.lowMask)));
        }
        hn::StoreU(hn::Or(hn::ShiftLeftSame(high, lowBits), low), BitsTag(), numbers + i);
    }
}

/// places[i] = where element first + i goes. What fell outside is walked on together; the others
/// are written each time, which spares a branch that nobody can predict.
void drawPlaces(const FeistelNetwork& network,
                std::uint32_t limit,
                std::uint32_t first,
                int count,
                PositionBatch& batch) {
    for (int i = 0; i < count; ++i) {
        batch.numbers[i] = first + static_cast<std::uint32_t>(i);
        batch.slots[i] = i;
    }
    while (count > 0) {
        encipherAll(network, batch.numbers, count);
        int outside = 0;
        for (int i = 0; i < count; ++i) {
            const std::uint32_t number = batch.numbers[i];
            const int slot = batch.slots[i];
            batch.places[slot] = number;
            batch.numbers[outside] = number;
            batch.slots[outside] = slot;
            outside += number >= limit;
        }
        count = outside;
    }
}

}  // namespace concertina::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace concertina::kernels {
HWY_EXPORT(drawPlaces);

namespace {

/// use(i, place) for all elements that are kept.
template <typename Use>
void overPositions(const RandomPositions& positions, Use use) {
    if (positions.isBlock() || positions.count() > UINT32_MAX) {
        for (std::int64_t i = 0; i < positions.kept(); ++i) {
            use(i, positions.at(i));
        }
        return;
    }
    PositionBatch batch;
    for (std::int64_t first = 0; first < positions.kept(); first += kPositionBatch) {
        const std::int64_t left = positions.kept() - first;
        const int count = left < kPositionBatch ? static_cast<int>(left) : kPositionBatch;
        HWY_DYNAMIC_DISPATCH(drawPlaces)
        (positions.permutation().network(), static_cast<std::uint32_t>(positions.count()),
         static_cast<std::uint32_t>(first), count, batch);
        for (int i = 0; i < count; ++i) {
            use(first + i, static_cast<std::int64_t>(batch.places[i]));
        }
    }
}

}  // namespace

namespace cpu {

KernelStatus takeRandom(
    float* values, const RandomPositions& positions, float scale, float* taken, Stream) {
    overPositions(positions, [=](std::int64_t i, std::int64_t place) {
        taken[i] = scale * values[place];
        values[place] -= taken[i];
    });
    return {};
}

KernelStatus putRandom(
    const float* taken, const RandomPositions& positions, float divisor, float* values, Stream) {
    std::memset(values, 0, positions.count() * sizeof(float));
    overPositions(positions,
                  [=](std::int64_t i, std::int64_t place) { values[place] = taken[i] / divisor; });
    return {};
}

}  // namespace cpu
}  // namespace concertina::kernels
#endif
