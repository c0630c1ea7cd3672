// SPDX-License-Identifier: Apache-2.0
#include "kernels/accumulate.h"

#include "kernels/cpu/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/accumulate.cpp"
#include "hwy/foreach_target.h"
#include "kernels/cpu/lanes-inl.h"

#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace concertina::kernels::HWY_NAMESPACE {

// Two accumulators in turn: 16 lanes of sums, because one addition takes longer than loading eight
// floats.
struct NormLanes {
    Doubles even, odd;
};

HWY_INLINE double total(const NormLanes& lanes) {
    return sumOfLanes(lanes.even) + sumOfLanes(lanes.odd);
}

template <bool kWithMemory, bool kWithSum>
HWY_INLINE void accumulateEight(const AccumulateBuffers& b, std::int64_t i) {
    const Floats gradient = load(b.gradient + i);
    store(kWithMemory ? gradient + load(b.errorMemory + i) : gradient, b.next + i);
    if (kWithSum) {
        store(load(b.epochSum + i) + gradient, b.epochSum + i);
    }
}

template <bool kWithMemory, bool kWithSum>
double accumulateAll(const AccumulateBuffers& b) {
    NormLanes norm{zeroDoubles(), zeroDoubles()};
    std::int64_t i = 0;
    for (; i + 2 * kLanes <= b.count; i += 2 * kLanes) {
        accumulateEight<kWithMemory, kWithSum>(b, i);
        accumulateEight<kWithMemory, kWithSum>(b, i + kLanes);
        norm.even = addProducts(norm.even, b.gradient + i, b.gradient + i);
        const float* second = b.gradient + i + kLanes;
        norm.odd = addProducts(norm.odd, second, second);
    }
    Doubles* lanes = &norm.even;
    for (; i < b.count; i += kLanes, lanes = &norm.odd) {
        const std::int64_t left = b.count - i < kLanes ? b.count - i : kLanes;
        *lanes = addSomeProducts(*lanes, b.gradient + i, b.gradient + i, left);
        for (std::int64_t j = i; j < i + left; ++j) {
            b.next[j] = kWithMemory ? b.gradient[j] + b.errorMemory[j] : b.gradient[j];
            if (kWithSum) {
                b.epochSum[j] += b.gradient[j];
            }
        }
    }
    return total(norm);
}

double accumulateAny(const AccumulateBuffers& b) {
    if (b.errorMemory) {
        return b.epochSum ? accumulateAll<true, true>(b) : accumulateAll<true, false>(b);
    }
    return b.epochSum ? accumulateAll<false, true>(b) : accumulateAll<false, false>(b);
}

double squaredNorm(const float* values, std::int64_t count) {
    NormLanes norm{zeroDoubles(), zeroDoubles()};
    std::int64_t i = 0;
    for (; i + 2 * kLanes <= count; i += 2 * kLanes) {
        norm.even = addProducts(norm.even, values + i, values + i);
        norm.odd = addProducts(norm.odd, values + i + kLanes, values + i + kLanes);
    }
    Doubles* lanes = &norm.even;
    for (; i < count; i += kLanes, lanes = &norm.odd) {
        const std::int64_t left = count - i < kLanes ? count - i : kLanes;
        *lanes = addSomeProducts(*lanes, values + i, values + i, left);
    }
    return total(norm);
}

}  // namespace concertina::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace concertina::kernels {
HWY_EXPORT(accumulateAny);
HWY_EXPORT(squaredNorm);

namespace cpu {

KernelStatus accumulate(const AccumulateBuffers& buffers, SquaredNorm& norm, Stream) {
    norm.sum = HWY_DYNAMIC_DISPATCH(accumulateAny)(buffers);
    norm.finite = std::isfinite(norm.sum);
    return {};
}

KernelStatus sumOfSquares(const float* values, std::int64_t count, SquaredNorm& norm, Stream) {
    norm.sum = HWY_DYNAMIC_DISPATCH(squaredNorm)(values, count);
    norm.finite = std::isfinite(norm.sum);
    return {};
}

}  // namespace cpu
}  // namespace concertina::kernels
#endif
