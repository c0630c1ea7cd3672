// SPDX-License-Identifier: Apache-2.0
#include "kernels/signs.h"

#include "kernels/cpu/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/signs.cpp"
#include "hwy/foreach_target.h"
#include "kernels/cpu/sign_bits-inl.h"

#include <vector>

HWY_BEFORE_NAMESPACE();
namespace concertina::kernels::HWY_NAMESPACE {

void packSignsAll(float* values, std::int64_t count, float scale, std::uint8_t* signs) {
    packRange(values, 0, count, scale, -scale, signs);
}

/// What a rank adds to a sum: its weight where its sign is positive, else minus that.
struct Voice {
    const std::uint8_t* signs;
    float weight;
};

HWY_INLINE Floats sumOfVoices(const std::vector<Voice>& voices, std::int64_t i) {
    Floats sum = broadcast(0);
    for (const Voice& voice : voices) {
        sum = sum + choose(voice.signs[i / 8], standIns(voice.weight, -voice.weight));
    }
    return sum;
}

/// `output` = of(sum of voices), eight elements at a time. The bytes of signs reach to a multiple
/// of 32 elements.
template <typename Finish>
HWY_INLINE void overVoices(const std::vector<Voice>& voices,
                           float* output,
                           std::int64_t count,
                           Finish finish) {
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        store(finish(sumOfVoices(voices, i)), output + i);
    }
    if (i < count) {
        storeSome(finish(sumOfVoices(voices, i)), output + i, count - i);
    }
}

void meanOfSigns(const SignMessages& messages, float* mean, std::int64_t count) {
    std::vector<Voice> voices;
    for (int rank = 0; rank < messages.ranks; ++rank) {
        const float* message = messages.message(rank);
        voices.push_back({reinterpret_cast<const std::uint8_t*>(message + 1), *message});
    }
    const Floats ranks = broadcast(static_cast<float>(messages.ranks));
    overVoices(voices, mean, count, [&](Floats sum) HWY_ATTR { return sum / ranks; });
}

void voteOfSigns(const SignMessages& messages, float* vote, std::int64_t count) {
    std::vector<Voice> voices;
    float scales = 0;
    for (int rank = 0; rank < messages.ranks; ++rank) {
        const float* message = messages.message(rank);
        if (*message != 0) {
            voices.push_back({reinterpret_cast<const std::uint8_t*>(message + 1), 1});
            scales += *message;
        }
    }
    const float scale = voices.empty() ? 0 : scales / static_cast<float>(voices.size());
    const StandIns pair = standIns(scale, -scale);
    overVoices(voices, vote, count, [&](Floats sum) HWY_ATTR {
        Floats result;
        for (std::size_t i = 0; i < Floats::kParts; ++i) {
            const auto zero = hn::Zero(FloatTag());
            const auto lost = hn::IfThenElseZero(hn::Lt(sum.part[i], zero), pair.negative.part[i]);
            const auto isWon = hn::Gt(sum.part[i], zero);
            result.part[i] = hn::IfThenElse(isWon, pair.positive.part[i], lost);
        }
        return result;
    });
}

}  // namespace concertina::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace concertina::kernels {
HWY_EXPORT(packSignsAll);
HWY_EXPORT(meanOfSigns);
HWY_EXPORT(voteOfSigns);

namespace cpu {

KernelStatus packSigns(float* values, std::int64_t count, float scale, void* message, Stream) {
    std::memcpy(message, &scale, sizeof(scale));
    auto* signs = static_cast<std::uint8_t*>(message) + sizeof(scale);
    std::memset(signs + count / 32 * 4, 0, signBytes(count % 32));
    HWY_DYNAMIC_DISPATCH(packSignsAll)(values, count, scale, signs);
    return {};
}

KernelStatus combineSigns(
    const SignMessages& messages, SignRule rule, float* combined, std::int64_t count, Stream) {
    if (rule == SignRule::Mean) {
        HWY_DYNAMIC_DISPATCH(meanOfSigns)(messages, combined, count);
    } else {
        HWY_DYNAMIC_DISPATCH(voteOfSigns)(messages, combined, count);
    }
    return {};
}

}  // namespace cpu
}  // namespace concertina::kernels
#endif
