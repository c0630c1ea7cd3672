// SPDX-License-Identifier: Apache-2.0
// Elias' omega code and streams of bits (Elias: "Universal codeword sets and representations of the
// integers", 1975), shared by CPU and GPU. Used by elias_bucket.h. Pure; any thread.
#pragma once
#include <cstdint>

#include "kernels/host_device.h"

namespace concertina::kernels {

/// Binary digits of a number that is not zero.
CONCERTINA_HD inline int digitsOf(std::uint32_t number) {
#ifdef __CUDA_ARCH__
    return 32 - __clz(static_cast<int>(number));
#else
    return 32 - __builtin_clz(number);
#endif
}

/// Elias' omega code: the number's digits, before them those of their count less one, and so on
/// down to 1; then a 0. The last bit is bit 0.
struct OmegaCode {
    std::uint64_t bits;
    int length;
};

/// 1 <= number < 2^31; at most 42 bits.
CONCERTINA_HD inline OmegaCode omegaCode(std::uint32_t number) {
    OmegaCode code{0, 1};
    while (number > 1) {
        code.bits |= std::uint64_t{number} << code.length;
        const int digits = digitsOf(number);
        code.length += digits;
        number = static_cast<std::uint32_t>(digits - 1);
    }
    return code;
}

class BitWriter {
 public:
    CONCERTINA_HD explicit BitWriter(std::uint32_t* words) : words_(words) {}

    CONCERTINA_HD void put(std::uint64_t bits, int length) {
        if (length > 32) {
            putFew(bits >> 32, length - 32);
            length = 32;
        }
        putFew(bits & 0xFFFFFFFFU, length);
    }
    CONCERTINA_HD void putOmega(std::uint32_t number) {
        const OmegaCode code = omegaCode(number);
        put(code.bits, code.length);
    }
    /// Fills the last word up with zeros.
    CONCERTINA_HD void finish() {
        if (pendingBits_ > 0) {
            *words_++ = static_cast<std::uint32_t>(pending_ << (32 - pendingBits_));
        }
    }

 private:
    CONCERTINA_HD void putFew(std::uint64_t bits, int length) {
        pending_ = pending_ << length | bits;
        pendingBits_ += length;
        if (pendingBits_ >= 32) {
            pendingBits_ -= 32;
            *words_++ = static_cast<std::uint32_t>(pending_ >> pendingBits_);
        }
    }

    std::uint32_t* words_;
    std::uint64_t pending_ = 0;
    int pendingBits_ = 0;
};

/// Past the end of its words it reads zeros and remembers it.
class BitReader {
 public:
    CONCERTINA_HD BitReader(const std::uint32_t* words, std::int64_t count)
        : next_(words), end_(words + count) {}

    /// 1 <= length <= 31.
    CONCERTINA_HD std::uint32_t take(int length) {
        if (pendingBits_ < length) {
            pending_ = pending_ << 32 | (next_ < end_ ? *next_ : 0U);
            isPastEnd_ = isPastEnd_ || next_ >= end_;
            next_ += next_ < end_ ? 1 : 0;
            pendingBits_ += 32;
        }
        pendingBits_ -= length;
        return static_cast<std::uint32_t>(pending_ >> pendingBits_) & ((1U << length) - 1);
    }
    /// 0 where there is no such code: past the end, or a number of 2^31 and more.
    CONCERTINA_HD std::uint32_t takeOmega() {
        std::uint32_t number = 1;
        while (take(1) != 0) {
            if (number > 30) {
                return 0;
            }
            const auto digits = static_cast<int>(number);
            number = 1U << digits | take(digits);
        }
        return isPastEnd_ ? 0 : number;
    }
    /// Whether all words were needed.
    CONCERTINA_HD bool isAtEnd() const { return !isPastEnd_ && next_ == end_ && pendingBits_ < 32; }

 private:
    const std::uint32_t* next_;
    const std::uint32_t* end_;
    std::uint64_t pending_ = 0;
    int pendingBits_ = 0;
    bool isPastEnd_ = false;
};

}  // namespace concertina::kernels
