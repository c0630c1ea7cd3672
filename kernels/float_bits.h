// SPDX-License-Identifier: Apache-2.0
// An fp32 as its bit pattern and back, on host and device (std::bit_cast is C++20, which nvcc's
// host passes do not compile here). Any thread.
#pragma once
#include <cstdint>
#include <cstring>

#include "kernels/host_device.h"

namespace concertina::kernels {

CONCERTINA_HD inline std::uint32_t bitsOf(float value) {
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    return bits;
}

CONCERTINA_HD inline float floatOfBits(std::uint32_t bits) {
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
}

}  // namespace concertina::kernels
