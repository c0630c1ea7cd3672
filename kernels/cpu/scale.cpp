// SPDX-License-Identifier: Apache-2.0
#include "kernels/scale.h"

#include "kernels/cpu/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/scale.cpp"
#include "hwy/foreach_target.h"
#include "kernels/cpu/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace concertina::kernels::HWY_NAMESPACE {

void divideAll(const float* input, float divisor, float* output, std::int64_t count) {
    const Floats divisors = broadcast(divisor);
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        store(load(input + i) / divisors, output + i);
    }
    for (; i < count; ++i) {
        output[i] = input[i] / divisor;
    }
}

}  // namespace concertina::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace concertina::kernels {
HWY_EXPORT(divideAll);

KernelStatus cpu::divide(
    const float* input, float divisor, float* output, std::int64_t count, Stream) {
    HWY_DYNAMIC_DISPATCH(divideAll)(input, divisor, output, count);
    return {};
}

}  // namespace concertina::kernels
#endif
