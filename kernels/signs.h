// SPDX-License-Identifier: Apache-2.0
// One bit per element and one scale: what signSGD sends. Called by its compressor on the
// communication thread; any thread may, on buffers of its own. A message is the fp32 scale, then
// the signs: bit i mod 8 of byte i / 8 is set where element i is below zero. There are two signs
// and no third: a zero, of either kind, counts as positive. A tensor of zeros has the scale 0,
// which says that nothing of it counts. Any bytes are a message.
#pragma once
#include <cstdint>

#include "kernels/host_device.h"
#include "kernels/status.h"
#include "kernels/stream.h"

namespace concertina::kernels {

/// Bytes of `count` signs, in whole words of 4 bytes; the bits behind the last sign are zero.
CONCERTINA_HD constexpr std::int64_t signBytes(std::int64_t count) { return (count + 31) / 32 * 4; }

CONCERTINA_HD inline bool isNegative(const void* signs, std::int64_t i) {
    return (static_cast<const unsigned char*>(signs)[i / 8] >> (i % 8) & 1) != 0;
}

/// One message per rank, `strideBytes` apart. REQUIRES: 4-byte aligned.
struct SignMessages {
    const void* first;
    std::int64_t strideBytes;
    int ranks;

    CONCERTINA_HD const float* message(int rank) const {
        return reinterpret_cast<const float*>(static_cast<const char*>(first) + rank * strideBytes);
    }
};

enum class SignRule {
    Mean,  // of scale times sign
    Vote,  // the sign of most ranks, times the mean scale of those that vote: all whose scale is
           // not 0. A tie gives 0, which moves nothing and is the same on all ranks
};

namespace cpu {
/// Writes the message of `values` at that scale, 4 + signBytes(count) bytes; values -= scale *
/// sign.
KernelStatus packSigns(
    float* values, std::int64_t count, float scale, void* message, Stream stream);
/// Ranks are added in their order, in fp32.
KernelStatus combineSigns(const SignMessages& messages,
                          SignRule rule,
                          float* combined,
                          std::int64_t count,
                          Stream stream);
}  // namespace cpu
namespace cuda {
KernelStatus packSigns(
    float* values, std::int64_t count, float scale, void* message, Stream stream);
KernelStatus combineSigns(const SignMessages& messages,
                          SignRule rule,
                          float* combined,
                          std::int64_t count,
                          Stream stream);
}  // namespace cuda

inline KernelStatus packSigns(
    float* values, std::int64_t count, float scale, void* message, Stream stream) {
    return (stream.cuda ? cuda::packSigns : cpu::packSigns)(values, count, scale, message, stream);
}

inline KernelStatus combineSigns(const SignMessages& messages,
                                 SignRule rule,
                                 float* combined,
                                 std::int64_t count,
                                 Stream stream) {
    const auto run = stream.cuda ? cuda::combineSigns : cpu::combineSigns;
    return run(messages, rule, combined, count, stream);
}

}  // namespace concertina::kernels
