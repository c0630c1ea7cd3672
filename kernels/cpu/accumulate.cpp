// SPDX-License-Identifier: Apache-2.0
#include "kernels/accumulate.h"

#include "kernels/cpu/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/accumulate.cpp"
#include "hwy/foreach_target.h"
#include "kernels/cpu/doubles-inl.h"

#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace concertina::kernels::HWY_NAMESPACE {

/// Eight running sums of each kind. Two of them in turn make 16 lanes, because one addition takes
/// longer than loading eight floats.
struct NormLanes {
    Doubles squares, magnitudes;
    Floats largest;
};

HWY_INLINE NormLanes noLanes() { return {zeroDoubles(), zeroDoubles(), broadcast(0)}; }

/// Eight floats in fp64, where their squares are exact.
HWY_INLINE void add(NormLanes& lanes, Floats values) {
    const Floats magnitudes = abs(values);
    lanes.largest = max(lanes.largest, magnitudes);
    const Doubles wide = promote(magnitudes);
    lanes.magnitudes = lanes.magnitudes + wide;
    lanes.squares = addProduct(lanes.squares, wide, wide);
}

Norms total(const NormLanes& even, const NormLanes& odd) {
    Norms norms;
    norms.squares = sumOfLanes(even.squares) + sumOfLanes(odd.squares);
    norms.magnitudes = sumOfLanes(even.magnitudes) + sumOfLanes(odd.magnitudes);
    norms.largest = largestOfLanes(max(even.largest, odd.largest));
    norms.finite = std::isfinite(norms.squares);
    return norms;
}

template <typename Step>
HWY_INLINE Norms inTurns(std::int64_t count, Step step) {
    NormLanes even = noLanes();
    NormLanes odd = noLanes();
    std::int64_t i = 0;
    for (; i + 2 * kLanes <= count; i += 2 * kLanes) {
        add(even, step(i, kLanes));
        add(odd, step(i + kLanes, kLanes));
    }
    NormLanes* lanes = &even;
    for (; i < count; i += kLanes, lanes = &odd) {
        add(*lanes, step(i, count - i < kLanes ? count - i : kLanes));
    }
    return total(even, odd);
}

HWY_INLINE Floats get(const float* from, std::int64_t count) {
    return count == kLanes ? load(from) : loadSome(from, count);
}

HWY_INLINE void put(Floats values, float* to, std::int64_t count) {
    if (count == kLanes) {
        store(values, to);
    } else {
        storeSome(values, to, count);
    }
}

/// What the buffers hold, as compile-time facts: the loop over elements then has no branches.
template <bool kMemory, bool kSum, bool kMomentum>
Norms accumulateAll(const AccumulateBuffers& b) {
    const Floats memoryScale = broadcast(b.memoryScale);
    const Floats momentumScale = broadcast(b.momentumScale);
    return inTurns(b.count, [&](std::int64_t i, std::int64_t count) HWY_ATTR {
        const Floats gradient = get(b.gradient + i, count);
        Floats next = gradient;
        if (kSum) {
            put(get(b.epochSum + i, count) + gradient, b.epochSum + i, count);
        }
        if (kMomentum) {
            if (b.momentum) {
                next = momentumScale * get(b.momentum + i, count) + gradient;
            }
            put(next, b.nextMomentum + i, count);
        }
        if (kMemory) {
            next = next + memoryScale * get(b.errorMemory + i, count);
        }
        put(next, b.next + i, count);
        return next;
    });
}

template <bool kMemory, bool kSum>
Norms accumulateWith(const AccumulateBuffers& b) {
    return b.nextMomentum ? accumulateAll<kMemory, kSum, true>(b)
                          : accumulateAll<kMemory, kSum, false>(b);
}

Norms accumulateAny(const AccumulateBuffers& b) {
    if (b.errorMemory) {
        return b.epochSum ? accumulateWith<true, true>(b) : accumulateWith<true, false>(b);
    }
    return b.epochSum ? accumulateWith<false, true>(b) : accumulateWith<false, false>(b);
}

Norms measureAll(const float* values, std::int64_t count) {
    return inTurns(
        count, [&](std::int64_t i, std::int64_t some) HWY_ATTR { return get(values + i, some); });
}

}  // namespace concertina::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace concertina::kernels {
HWY_EXPORT(accumulateAny);
HWY_EXPORT(measureAll);

namespace cpu {

KernelStatus accumulate(const AccumulateBuffers& buffers, Norms& norms, Stream) {
    norms = HWY_DYNAMIC_DISPATCH(accumulateAny)(buffers);
    return {};
}

KernelStatus measure(const float* values, std::int64_t count, Norms& norms, Stream) {
    norms = HWY_DYNAMIC_DISPATCH(measureAll)(values, count);
    return {};
}

}  // namespace cpu
}  // namespace concertina::kernels
#endif
